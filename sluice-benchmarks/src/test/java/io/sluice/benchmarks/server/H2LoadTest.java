package io.sluice.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class H2LoadTest {
    private static final String H2LOAD = """
            finished in 2.00s, 25000.50 req/s, 3.00MB/s
            requests: 50001 total, 50001 started, 50001 done, 50001 succeeded, 0 failed, 0 errored, 0 timeout
            """;

    @Test
    void h2load_rate_isRead() {
        assertThat(H2Load.sample(H2LOAD).perSecond()).isEqualTo(25_000.5);
        assertThatThrownBy(() -> H2Load.sample(H2LOAD.replace(" 0 failed", " 3 failed")))
                .hasMessageContaining("3 failed");
        assertThatThrownBy(() -> H2Load.sample("no such host"))
                .hasMessage("h2load printed \"no such host\" (expected: its summary)");
    }
}
