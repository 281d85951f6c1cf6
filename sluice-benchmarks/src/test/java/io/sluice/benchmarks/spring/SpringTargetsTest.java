package io.sluice.benchmarks.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.Measurement;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpringTargetsTest {
    private static String printed(CaseResult... rows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        SpringTargets.print(List.of(rows), new PrintStream(out, true, UTF_8));
        return out.toString(UTF_8);
    }

    private static CaseResult row(String name, double sluice, String peer, double theirs) {
        return new CaseResult(
                name, new Measurement("Sluice", sluice, null), List.of(new Measurement(peer, theirs, null)));
    }

    @Test
    void targets_met_areOk() {
        assertThat(printed(
                        row("mvc-3-policies", 9500, "no limiter", 10_000),
                        row("gateway-hot-key-added-cpu-ns", 20_000, "RedisRateLimiter", 50_000)))
                .isEqualTo("""
                        target: mvc-3-policies >= 0.9 x no limiter: 0.95 (ok)
                        target: gateway-hot-key-added-cpu-ns <= 0.5 x RedisRateLimiter: 0.40 (ok)

                        """);
    }

    @Test
    void targets_missed_areMissed() {
        assertThat(printed(
                        row("mvc-3-policies", 8900, "no limiter", 10_000),
                        row("gateway-hot-key-added-cpu-ns", 30_000, "RedisRateLimiter", 50_000)))
                .contains("no limiter: 0.89 (MISSED)", "RedisRateLimiter: 0.60 (MISSED)");
    }
}
