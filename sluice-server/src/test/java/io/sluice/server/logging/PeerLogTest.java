package io.sluice.server.logging;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerLogTest {
    private final ManualTime time = new ManualTime();
    private final CapturedLog lines = new CapturedLog("io.sluice.test.peers");
    private final PeerLog log = new PeerLog(System.getLogger("io.sluice.test.peers"), time);

    @AfterEach
    void close() {
        lines.close();
    }

    @Test
    void kind_isLoggedAtOnce_andThenOnceAMinute_withACount() {
        log.warn("cut", "cut off by a");
        for (int i = 0; i < 1000; i++) {
            log.warn("cut", "cut off by " + i);
        }
        assertThat(lines.texts()).containsExactly("cut off by a");

        time.advance(Duration.ofMinutes(1));
        log.warn("cut", "cut off by b");
        log.warn("cut", "cut off by c");
        assertThat(lines.texts())
                .containsExactly("cut off by a", "cut off by b (and 1000 more of this kind since the last line)");

        time.advance(Duration.ofMinutes(1));
        log.warn("cut", "cut off by d");
        assertThat(lines.texts()).last().isEqualTo("cut off by d (and 1 more of this kind since the last line)");
    }

    @Test
    void kinds_areLimitedSeparately() {
        log.warn("cut", "cut off");
        log.warn("garbled", "garbled");

        assertThat(lines.texts()).containsExactly("cut off", "garbled");
    }

    @Test
    void numberOfKinds_isBounded() {
        for (int i = 0; i < 10_000; i++) {
            log.warn("made up " + i, "made up " + i);
        }

        assertThat(lines.texts()).hasSizeBetween(50, 150);
    }

    @Test
    void error_isLoggedOnceAMinute_withItsStackTrace() {
        for (int i = 0; i < 100; i++) {
            log.error("a call failed", new IllegalStateException("here " + i));
        }
        log.error("a call failed", new IllegalStateException("at another line"));

        assertThat(lines.events).extracting(LogRecord::getLevel).containsExactly(Level.SEVERE, Level.SEVERE);
        assertThat(lines.events)
                .extracting(event -> String.valueOf(event.getThrown().getMessage()))
                .containsExactly("here 0", "at another line");
        time.advance(Duration.ofMinutes(1));
        log.error("a call failed", new IllegalStateException("at a third"));
        assertThat(lines.events).hasSize(3);
    }
}
