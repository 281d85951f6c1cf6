package io.sluice.cli.simulate.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private long nanos = 5;

    private ProgressLine progress(boolean watched) {
        return new ProgressLine(new PrintStream(err, true, UTF_8), watched, () -> nanos);
    }

    private static void rows(ProgressLine progress, int count) {
        for (int i = 0; i < count; i++) {
            progress.row();
        }
    }

    @Test
    void progress_inTheFirstSecond_isSilent() {
        ProgressLine progress = progress(true);
        nanos += 999_999_999;
        rows(progress, 100_000);
        progress.clear();

        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void progress_ofALongRun_isShownTwiceASecondAndTakenAway() {
        ProgressLine progress = progress(true);
        nanos += 2_000_000_000;
        rows(progress, 8192);
        nanos += 499_999_999;
        rows(progress, 8192);
        nanos += 1;
        rows(progress, 4096);
        progress.clear();

        assertThat(err.toString(UTF_8))
                .isEqualTo("\r4,096 rows, 2,048 rows/s\u001b[K\r20,480 rows, 8,192 rows/s\u001b[K\r\u001b[K");
    }

    @Test
    void progress_thatNobodyWatches_isSilent() {
        ProgressLine progress = progress(false);
        nanos += 2_000_000_000;
        rows(progress, 100_000);
        progress.clear();

        assertThat(err.toString(UTF_8)).isEmpty();
    }
}
