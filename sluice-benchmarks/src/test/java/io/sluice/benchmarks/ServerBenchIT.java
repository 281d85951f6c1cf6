package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerBenchIT {
    @Test
    void server_withAMillionKeys_isWithinItsBound() {
        CommandRun ran = CommandRun.with("server", "--quick", "--only", "heap-mb-1000000-keys");

        assertThat(ran.exitCode()).as(ran.err()).isZero();
        assertThat(ran.out().lines().map(line -> line.replaceAll("[0-9.]+", "#")))
                .containsExactly("case,sluice_per_s,p#_us,peer,peer_per_s,ratio", "heap-mb-#-keys,#,,bound,#,#");
        assertThat(ran.err()).contains("target: heap-mb-1000000-keys <= 300: ").doesNotContain("MISSED");
    }

    @Test
    void server_caseThatIsNone_isRefused() {
        CommandRun ran = CommandRun.with("server", "--only", "http");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("--only http (expected: one of http-check, resp-throttle, grpc-rls, ");
    }
}
