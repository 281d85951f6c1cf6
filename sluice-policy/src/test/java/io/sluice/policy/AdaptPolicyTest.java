package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdaptPolicyTest {
    private static final String ADAPT =
            "{ signal: cpu, above: 80%, below: 50%, down: 0.5, up: 1.5, between: [20%, 150%], every: 1s }";

    private final ManualTime time = new ManualTime();
    private final AtomicReference<Double> cpu = new AtomicReference<>(Double.NaN);

    private static String yaml(String limit, String more) {
        return "version: 1\npolicies:\n  - name: api\n    limit: " + limit + "\n    scope: process\n" + more;
    }

    private static Policies policies(String limit, String adapt) {
        return Policies.parse(yaml(limit, "    adapt: " + adapt + "\n"), "test.yaml");
    }

    private PolicyEngine.Builder builder(Policies policies) {
        return PolicyEngine.builder()
                .policies(policies)
                .store(MemoryStore.builder().time(time).build())
                .time(time)
                .signal("cpu", cpu::get);
    }

    private static String limit(PolicyEngine engine) {
        return engine.limits().get(0).limit().toString();
    }

    private void tick(double value) {
        cpu.set(value);
        time.advance(Duration.ofSeconds(1));
    }

    @Test
    void factor_followsTheSignal() {
        try (PolicyEngine engine = builder(policies("100/s burst 301", ADAPT)).build()) {
            assertThat(limit(engine)).isEqualTo("token-bucket 100/s burst 301");
            tick(0.81);
            assertThat(limit(engine)).isEqualTo("token-bucket 50/s burst 150");
            tick(0.8);
            assertThat(engine.factors()).containsExactly(Map.entry("api", new BigDecimal("0.5")));
            tick(0.9);
            tick(0.9);
            assertThat(limit(engine)).isEqualTo("token-bucket 20/s burst 60");
            tick(0.1);
            tick(0.1);
            assertThat(limit(engine)).as("only two intervals since the cut").isEqualTo("token-bucket 20/s burst 60");
            tick(0.1);
            assertThat(limit(engine)).isEqualTo("token-bucket 30/s burst 90");
            tick(0.5);
            assertThat(limit(engine)).as("0.5 is not below 50%").isEqualTo("token-bucket 30/s burst 90");
            for (int i = 0; i < 10; i++) {
                tick(0.1);
            }
            assertThat(limit(engine)).isEqualTo("token-bucket 150/s burst 451");
        }
    }

    @Test
    void change_keepsWhatWasUsed() {
        try (PolicyEngine engine =
                builder(policies("fixed-window 100 per 1h", ADAPT)).build()) {
            assertThat(engine.check(Map.of(), 60).allowed()).isTrue();
            tick(0.9);
            PolicyDecision denied = engine.check(Map.of(), 1);
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.results().get(0).limit()).isEqualTo(Limit.parse("fixed-window 50 per 1h"));
            for (int i = 0; i < 5; i++) {
                tick(0.2);
            }
            assertThat(engine.check(Map.of(), 0).results().get(0).decision().remaining())
                    .as("floor(0.5 * 1.5 * 1.5 * 1.5 * 100 = 168.75), at most 150, minus 60")
                    .isEqualTo(90);
        }
    }

    @Test
    void overridesAndReserve_areScaledToo() {
        Policies policies = Policies.parse(yaml("fixed-window 100 per 1h", """
                            overrides:
                              - { match: { tenant: acme }, limit: fixed-window 7 per 1h }
                              - { match: { tenant: ops }, limit: unlimited }
                            reserve: { share: 25%, for: { priority: critical } }
                            adapt: {signal: cpu, above: 80%, below: 50%, down: 50%, up: 2, between: [1%, 1], every: 1s}
                        """), "test.yaml");
        try (PolicyEngine engine = builder(policies).build()) {
            tick(0.9);
            assertThat(engine.limits())
                    .extracting(limit -> limit.limit().toString())
                    .containsExactly("fixed-window 50/h", "fixed-window 3/h", "unlimited");
            PolicyResult mine = engine.check(Map.of(), 0).results().get(0);
            assertThat(mine.decision().remaining())
                    .as("50, minus ceil(25% of 50)")
                    .isEqualTo(37);
            assertThat(engine.check(Map.of("tenant", "acme"), 3).allowed())
                    .as("3, minus 1 that is kept")
                    .isFalse();
            assertThat(engine.check(Map.of("tenant", "acme"), 2).allowed()).isTrue();
        }
    }

    @Test
    void number_isAtLeastOne() {
        try (PolicyEngine engine =
                builder(policies("fixed-window 3 per 1h", ADAPT)).build()) {
            for (int i = 0; i < 5; i++) {
                tick(1);
            }
            assertThat(limit(engine)).isEqualTo("fixed-window 1/h");
        }
    }

    @Test
    void reportedValues_allCountThatCameSinceTheLastTick() {
        try (PolicyEngine engine =
                builder(policies("100/s", ADAPT)).onlyReportedSignals().build()) {
            cpu.set(0.9);
            time.advance(Duration.ofSeconds(1));
            engine.signals(Map.of("cpu", 0.9));
            assertThat(limit(engine)).as("nothing is measured").isEqualTo("token-bucket 100/s");
            time.advance(Duration.ofMillis(999));
            engine.signals(Map.of("cpu", 0.7, "other", 1.0));
            time.advance(Duration.ofMillis(1));
            engine.signals(Map.of());
            assertThat(limit(engine)).as("one value was not above 80%").isEqualTo("token-bucket 100/s");
            engine.signals(Map.of("cpu", 0.95));
            time.advance(Duration.ofSeconds(2));
            engine.signals(Map.of("cpu", 0.1));
            assertThat(limit(engine)).as("0.95 held for two intervals").isEqualTo("token-bucket 25/s");
        }
    }

    @Test
    void reload_keepsTheFactorAndTheUse_ifAdaptStays() {
        try (PolicyEngine engine =
                builder(policies("fixed-window 100 per 1h", ADAPT)).build()) {
            engine.check(Map.of(), 30);
            tick(0.9);
            engine.replace(policies("fixed-window 200 per 1h", ADAPT));
            assertThat(limit(engine)).isEqualTo("fixed-window 100/h");
            assertThat(engine.check(Map.of(), 0).results().get(0).decision().remaining())
                    .isEqualTo(70);
            tick(0.9);
            assertThat(limit(engine)).as("it still follows").isEqualTo("fixed-window 50/h");
            engine.replace(policies("fixed-window 200 per 1h", ADAPT.replace("1s", "2s")));
            assertThat(limit(engine)).as("another adapt starts with 1").isEqualTo("fixed-window 200/h");
            engine.replace(Policies.parse(yaml("fixed-window 200 per 1h", ""), "test.yaml"));
            assertThat(engine.factors()).isEmpty();
            tick(0.9);
            tick(0.9);
            assertThat(limit(engine)).isEqualTo("fixed-window 200/h");
        }
    }

    @Test
    void latencyAndErrors_followWhatWasReported() {
        String latency =
                "{ signal: latency, percentile: 50, target: 100ms, above: 100%, below: 50%, down: 0.5, up: 2, every: 1s }";
        try (PolicyEngine engine = builder(policies("100/s", latency)).build()) {
            engine.finished(Duration.ofMillis(150), false);
            engine.finished(Duration.ofMillis(160), false);
            engine.finished(Duration.ofMillis(10), true);
            time.advance(Duration.ofSeconds(1));
            assertThat(limit(engine)).isEqualTo("token-bucket 50/s");
        }
        String errors = "{ signal: errors, above: 10%, below: 1%, down: 0.5, up: 2, every: 1s }";
        try (PolicyEngine engine = builder(policies("100/s", errors)).build()) {
            for (int i = 0; i < 9; i++) {
                engine.finished(Duration.ofMillis(1), i == 0);
            }
            time.advance(Duration.ofSeconds(1));
            assertThat(limit(engine)).isEqualTo("token-bucket 50/s");
        }
    }

    /** One request that failed in a quiet night must not cut the limits again and again. */
    @Test
    void errors_withoutRequests_changeNothing() {
        String errors = "{ signal: errors, above: 10%, below: 1%, down: 0.5, up: 2, every: 1s }";
        try (PolicyEngine engine = builder(policies("100/s", errors)).build()) {
            engine.finished(Duration.ofMillis(1), true);
            time.advance(Duration.ofMinutes(1));
            assertThat(limit(engine)).isEqualTo("token-bucket 50/s");
        }
    }

    @Test
    void reportedValue_ofASignalThatIsNotMeasured_holds() {
        try (PolicyEngine engine =
                builder(policies("100/s", ADAPT.replace("cpu", "queue"))).build()) {
            engine.signals(Map.of("queue", 0.9));
            time.advance(Duration.ofSeconds(2));
            assertThat(limit(engine)).isEqualTo("token-bucket 25/s");
        }
    }

    @Test
    void signalThatFails_changesNothing_andWorksAgainLater() {
        AtomicReference<Double> value = new AtomicReference<>();
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(policies("100/s", ADAPT.replace("cpu", "queue")))
                .store(MemoryStore.builder().time(time).build())
                .time(time)
                .signal("queue", () -> {
                    if (value.get() == null) {
                        throw new AssertionError("no queue");
                    }
                    return value.get();
                })
                .build()) {
            time.advance(Duration.ofSeconds(5));
            assertThat(limit(engine)).isEqualTo("token-bucket 100/s");
            value.set(0.9);
            time.advance(Duration.ofSeconds(1));
            assertThat(limit(engine)).isEqualTo("token-bucket 50/s");
            value.set(null);
            time.advance(Duration.ofSeconds(5));
            assertThat(limit(engine)).isEqualTo("token-bucket 50/s");
        }
    }

    @Test
    void explainAndInspect_tellTheFactor() {
        try (PolicyEngine engine = builder(policies("100/s", ADAPT)).build()) {
            tick(0.9);
            assertThat(engine.explain(Map.of(), 1).toString())
                    .contains("limit    token-bucket 50/s")
                    .contains("adapt    times 0.5, by the signal \"cpu\"");
            assertThat(engine.explain(Map.of(), 1).toJson(Map.of(), 1)).contains("\"factor\":0.5,");
            assertThat(engine.inspect(Map.of()).toCompletableFuture().join())
                    .extracting(KeyStatus::factor)
                    .containsExactly(new BigDecimal("0.5"));
        }
    }

    @Test
    void decisions_areMadeByTheLimitInForce_whileItChanges() throws Exception {
        try (PolicyEngine engine =
                builder(policies("fixed-window 1000000 per 1h", ADAPT)).build()) {
            List<Thread> threads = new ArrayList<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            for (int i = 0; i < 2; i++) {
                Thread thread = new Thread(() -> {
                    try {
                        for (int n = 0; n < 20_000; n++) {
                            engine.check(Map.of(), 1);
                        }
                    } catch (RuntimeException | Error e) {
                        failure.set(e);
                    }
                });
                thread.start();
                threads.add(thread);
            }
            for (int i = 0; i < 200; i++) {
                tick(i % 8 == 0 ? 0.9 : 0.1);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failure.get()).isNull();
            for (int i = 0; i < 10; i++) {
                tick(0.1);
            }
            assertThat(engine.check(Map.of(), 0).results().get(0).decision().remaining())
                    .isEqualTo(1_500_000 - 40_000);
        }
    }

    @Test
    void close_endsIt() {
        PolicyEngine engine = builder(policies("100/s", ADAPT)).build();
        engine.close();
        tick(0.9);
        assertThat(limit(engine)).isEqualTo("token-bucket 100/s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ above: 80% } | signal: missing (expected: cpu, latency, errors,",
                "80% | adapt: \"80%\" (expected: a mapping with signal,",
                "{ signal: cpu, abov: 1 } | unknown field \"abov\" (expected: one of signal, percentile, target, above",
                "{ signal: cpu, above: high } | above: \"high\" (expected: a number or a percentage, such as 0.8 or 80%)",
                "{ signal: cpu, above: 50%, below: 80% } | below: 0.8 (expected: at most above, which is 0.5)",
                "{ signal: cpu, down: 1 } | down: \"1\" (expected: a factor above 0 and below 1, such as 0.5)",
                "{ signal: cpu, down: -0.5 } | down: \"-0.5\" (expected: a factor above 0 and below 1",
                "{ signal: cpu, up: 100% } | up: \"100%\" (expected: a factor above 1 and at most 1000, such as 1.5)",
                "{ signal: cpu, between: 20% } | between: \"20%\" (expected: the lowest and the highest factor",
                "{ signal: cpu, between: [20%] } | between: a list (expected: the lowest and the highest factor",
                "{ signal: cpu, between: [0, 1] } | between: \"0\" (expected: the lowest factor, above 0 and at most 1",
                "{ signal: cpu, between: [20%, 90%] } | between: \"90%\" (expected: the highest factor, from 1 to 1000",
                "{ signal: cpu, every: 0s } | every: \"0s\" (expected: a duration of 1ms to 1d, such as",
                "{ signal: cpu, target: 1s } | target: has no meaning with signal: cpu (expected: signal: latency",
                "{ signal: latency } | target: missing (expected: the latency that counts as 100%, such as 250ms)",
                "{ signal: latency, target: 1s, percentile: 101 } | percentile: \"101\" (expected: a percentile above 0",
            })
    void badAdapt_isRefused(String adapt, String message) {
        assertThatThrownBy(() -> policies("100/s", adapt))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("test.yaml:6:")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"    scope: shared\n", ""})
    void scopeShared_isRefused(String scope) {
        String text = "version: 1\npolicies:\n  - name: api\n    limit: 100/s\n" + scope + "    adapt: " + ADAPT + "\n";
        assertThatThrownBy(() -> Policies.parse(text, "test.yaml"))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("test.yaml:" + (scope.isEmpty() ? 5 : 6))
                .hasMessageContaining("adapt: the policy has scope: shared (expected: scope: process");
    }
}
