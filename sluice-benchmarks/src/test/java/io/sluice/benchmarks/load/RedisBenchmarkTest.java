package io.sluice.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RedisBenchmarkTest {
    @Test
    void output_ofRedis7_isRead() {
        Sample sample = RedisBenchmark.sample(30_000, """
                "test","rps","avg_ms","min_ms","p50_ms","p95_ms","p99_ms","max_ms"
                "EVALSHA bf80 1 k","40000.00","0.500","0.100","0.400","0.900","1.250","9.000"
                """);

        assertThat(sample.perSecond()).isEqualTo(40_000);
        assertThat(sample.p99Micros()).isEqualTo(1250);
    }

    @Test
    void output_ofRedis6_isRead() {
        assertThat(RedisBenchmark.sample(30_000, "\"EVALSHA bf80 1 k\",\"40000.00\"\n")
                        .perSecond())
                .isEqualTo(40_000);
    }

    @Test
    void output_thatIsNone_isShown() {
        assertThatThrownBy(() -> RedisBenchmark.sample(1, "Could not connect\n"))
                .hasMessage("redis-benchmark printed \"Could not connect\" (expected: CSV)");
    }
}
