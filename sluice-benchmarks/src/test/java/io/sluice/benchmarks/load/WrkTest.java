package io.sluice.benchmarks.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WrkTest {
    private static final String WRK = """
            Running 2s test @ http://127.0.0.1:8080/v1/check
              1 threads and 64 connections
              Latency Distribution
                 50%    1.07ms
                 99%    4.50ms
              100000 requests in 2.00s, 30.00MB read
            Requests/sec:  50000.00
            """;

    @Test
    void wrk_rateAndLatency_areRead() {
        Sample sample = Wrk.sample(WRK);

        assertThat(sample.perSecond()).isEqualTo(50_000);
        assertThat(sample.p99Micros()).isEqualTo(4500);
        assertThat(Wrk.sample(WRK.replace("4.50ms", "950.00us")).p99Micros()).isEqualTo(950);
        assertThat(Wrk.sample(WRK.replace("4.50ms", "1.20s")).p99Micros()).isEqualTo(1_200_000);
    }

    @Test
    void wrk_answersThatAreNot200_areNoMeasurement() {
        assertThatThrownBy(() -> Wrk.sample(WRK + "  Non-2xx or 3xx responses: 7\n"))
                .hasMessage("wrk: Non-2xx or 3xx responses: 7 (expected: all answered with 200)");
    }
}
