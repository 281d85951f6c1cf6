package io.sluice.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.benchmarks.load.Load;
import io.sluice.benchmarks.load.Sample;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class BlockingLoadTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void load_countsWhatWasAnsweredBeforeTheEnd() throws InterruptedException {
        LongAdder calls = new LongAdder();

        Sample sample = new BlockingLoad(3, calls::increment).run(SHORT);

        // Each thread has one call that comes too late.
        assertThat(sample.calls()).isEqualTo(calls.sum() - 3);
        assertThat(sample.nanos()).isGreaterThanOrEqualTo(SHORT.toNanos());
        assertThat(sample.p99Micros()).isPositive();
    }

    @Test
    void load_ofWhichACallFails_fails() {
        Load load = new BlockingLoad(2, () -> {
            throw new IllegalStateException("denied");
        });

        assertThatThrownBy(() -> load.run(SHORT))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("denied");
    }
}
