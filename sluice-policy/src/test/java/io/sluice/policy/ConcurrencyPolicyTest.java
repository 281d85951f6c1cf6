package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies that limit concurrency, on the memory store: the file, renewals, temporary overrides, the log. */
class ConcurrencyPolicyTest {
    private static final Map<String, String> ACME = Map.of("tenant", "acme");
    private static final String IN_FLIGHT = "- { name: in-flight, key: [tenant], limit: concurrency 2 hold 30s }\n";

    private final ManualTime time = new ManualTime();

    private PolicyEngine engine(String yaml) {
        return EngineTests.engine(MemoryStore.builder().time(time).build(), time, yaml);
    }

    private static long free(PolicyEngine engine) {
        return engine.check(ACME, 0).results().get(0).decision().remaining();
    }

    @Test
    void permit_isRenewedUntilItCloses() {
        try (PolicyEngine engine = engine(IN_FLIGHT)) {
            PolicyPermit permit = engine.enter(ACME);
            for (int i = 0; i < 50; i++) {
                time.advance(Duration.ofSeconds(10));
                assertThat(free(engine)).isEqualTo(1);
            }
            assertThat(permit.isHeld()).isTrue();
            permit.close();
            assertThat(free(engine)).isEqualTo(2);
        }
    }

    private static final Map<String, String> CRITICAL = Map.of("tenant", "acme", "priority", "critical");

    private static String adaptive(String limit, String share) {
        return "- { name: in-flight, limit: concurrency adaptive " + limit + ", scope: process," + " reserve: { share: "
                + share + ", for: { priority: critical } } }\n";
    }

    private static int entered(PolicyEngine engine, Map<String, String> request) {
        int count = 0;
        while (engine.hold(request, 1).decision().allowed()) {
            count++;
        }
        return count;
    }

    @Test
    void reserveOfAnAdaptiveLimit_isAShareOfItsNumber_andCriticalRequestsAreShedLast() {
        try (PolicyEngine engine = engine(adaptive("from 10", "20%"))) {
            assertThat(free(engine)).isEqualTo(8);
            assertThat(entered(engine, ACME)).isEqualTo(8);
            assertThat(entered(engine, CRITICAL)).isEqualTo(2);
        }
    }

    /** A number that is too small can only be found to be so if requests enter. */
    @Test
    void reserveOfAnAdaptiveLimit_leavesOnePermitForAll() {
        try (PolicyEngine engine = engine(adaptive("from 1", "20%"))) {
            assertThat(entered(engine, ACME)).isEqualTo(1);
        }
        try (PolicyEngine engine = engine(adaptive("from 2", "90%"))) {
            assertThat(entered(engine, ACME)).isEqualTo(1);
            assertThat(entered(engine, CRITICAL)).isEqualTo(1);
        }
        try (PolicyEngine engine = engine(adaptive("from 2", "100%"))) {
            assertThat(entered(engine, ACME)).isZero();
            assertThat(entered(engine, CRITICAL)).isEqualTo(2);
        }
    }

    @Test
    void permit_isNotHeld_afterItLapsed() {
        try (PolicyEngine engine = engine(IN_FLIGHT)) {
            PolicyPermit permit = engine.enter(ACME);
            engine.reset(ACME).toCompletableFuture().join();
            time.advance(Duration.ofSeconds(10));
            assertThat(permit.isHeld()).as("the renewal has found it gone").isFalse();
            engine.enter(ACME);
            permit.close();
            assertThat(free(engine)).as("that of the other request stays held").isEqualTo(1);
        }
    }

    @Test
    void holds_areNotRenewedInTheBackground() {
        try (PolicyEngine engine = engine(IN_FLIGHT)) {
            engine.hold(ACME, 1);
            time.advance(Duration.ofSeconds(30));
            assertThat(free(engine)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            concurrency 5, charge: always         | limit: "concurrency 5" (expected: charge: admitted, because what is in flight is given back
            concurrency adaptive                  | limit: "concurrency adaptive" (expected: scope: process, because each process finds
            concurrency adaptive, scope: shared   | limit: "concurrency adaptive" (expected: scope: process
            concurrency 5 lockout 1m              | limit: "concurrency 5 lockout 1m":
            concurrency 100001                    | limit: "concurrency 100001":
            concurrency                           | limit: "concurrency":
            """)
    void file_withWhatIsImpossible_isRefused(String policy, String expected) {
        assertThatThrownBy(() -> EngineTests.policies("- { name: p, limit: " + policy + " }\n"))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("test.yaml:3:")
                .hasMessageContaining(expected);
    }

    @Test
    void file_shortHold_isAWarning() {
        PolicyFileAssertions.assertWarned("version: 1\npolicies:\n  - { name: p, limit: concurrency 5 hold 999ms }\n")
                .singleElement()
                .asString()
                .contains("limit: hold 999ms is short: ", "(expected: at least 1s)");
        PolicyFileAssertions.assertWarned("version: 1\npolicies:\n  - { name: p, limit: concurrency 5 hold 1s }\n")
                .isEmpty();
    }

    @Test
    void file_overrideThatIsImpossible_isRefused() {
        assertThatThrownBy(() -> EngineTests.policies("""
                        - name: p
                          limit: 10/s
                          charge: always
                          overrides: [{ match: { tenant: a }, limit: concurrency 5 }]
                        """))
                .isInstanceOf(PolicyException.class)
                .hasMessageContaining("(expected: charge: admitted");
    }

    @Test
    void policy_withWhatIsImpossible_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy(Limit.concurrency(5), Scope.SHARED, Charging.ALWAYS))
                .withMessageStartingWith("limit: concurrency 5 (expected: charge: admitted");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy(Limit.adaptiveConcurrency(), Scope.SHARED, Charging.ADMITTED))
                .withMessageStartingWith("limit: concurrency adaptive (expected: scope: process");
        assertThat(policy(Limit.adaptiveConcurrency(), Scope.PROCESS, Charging.ADMITTED)
                        .limitsConcurrency())
                .isTrue();
    }

    private static Policy policy(Limit limit, Scope scope, Charging charge) {
        return new Policy(
                "p", Match.ALL, List.of(), limit, List.of(), null, Mode.ENFORCE, OnFailure.ALLOW, scope, charge);
    }

    @Test
    void requestsThatDoNotEnter_areLoggedOnce() {
        Logger logger = Logger.getLogger("io.sluice.policy");
        StringBuilder lines = new StringBuilder();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                lines.append(record.getMessage())
                        .append(List.of(record.getParameters()))
                        .append('\n');
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        boolean parents = logger.getUseParentHandlers();
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
        try (PolicyEngine engine = engine(IN_FLIGHT)) {
            engine.check(ACME);
            engine.check(ACME);
            engine.replace(EngineTests.policies(IN_FLIGHT + "- { name: more, limit: 1/s }\n"));
            lines.setLength(lines.indexOf("\n") + 1);
            engine.check(ACME);
            assertThat(lines.toString())
                    .contains("does not apply to requests that take permits without entering", "[in-flight]")
                    .hasLineCount(1);
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(parents);
        }
    }

    @Test
    void temporaryOverride_holdsApart_andCountsAlong() {
        try (PolicyEngine engine = engine(IN_FLIGHT)) {
            TemporaryOverride more = override("concurrency 3");
            engine.beginTemporary(more).toCompletableFuture().join();
            engine.temporaryOverrides(List.of(more));
            for (int i = 0; i < 3; i++) {
                assertThat(engine.hold(ACME, 1).decision().allowed()).isTrue();
            }
            EnteredRequest denied = engine.hold(ACME, 1);
            assertThat(denied.decision().results().get(0).limit()).isEqualTo(Limit.concurrency(3));
            assertThat(denied.decision().allowed()).isFalse();

            engine.temporaryOverrides(List.of());
            assertThat(free(engine)).as("two of the three were held along").isZero();
        }
    }

    @Test
    void temporaryOverride_unlimited_holdsAlong() {
        try (PolicyEngine engine = engine(IN_FLIGHT)) {
            engine.temporaryOverrides(List.of(override("unlimited")));
            EnteredRequest entered = engine.hold(ACME, 1);
            assertThat(engine.check(ACME).results())
                    .as("as without the override")
                    .isEmpty();
            engine.temporaryOverrides(List.of());
            assertThat(free(engine)).isEqualTo(1);
            engine.release(entered.holds().orElseThrow());
            assertThat(free(engine)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"in-flight, 5/s, a concurrency limit", "rate, concurrency 5, no concurrency limit"})
    void temporaryOverride_ofAnotherKind_isRefused(String policy, String limit, String expected) {
        try (PolicyEngine engine = engine(IN_FLIGHT + "- { name: rate, key: [tenant], limit: 10/h }\n")) {
            TemporaryOverride other =
                    new TemporaryOverride(policy, ACME, Limit.parse(limit), Instant.EPOCH, Instant.MAX, null);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine.beginTemporary(other))
                    .withMessageStartingWith("limit: " + Limit.parse(limit) + " (expected: " + expected);
            engine.temporaryOverrides(List.of(other));
            assertThat(engine.hold(ACME, 1).decision().results())
                    .as("one that is there already does nothing")
                    .extracting(PolicyResult::limit)
                    .containsExactly(Limit.parse("concurrency 2 hold 30s"), Limit.parse("10/h"));
        }
    }

    private static TemporaryOverride override(String limit) {
        return new TemporaryOverride("in-flight", ACME, Limit.parse(limit), Instant.EPOCH, Instant.MAX, null);
    }

    @Test
    void json_namesWhatIsHeld() {
        try (PolicyEngine engine = engine(IN_FLIGHT)) {
            EnteredRequest entered = engine.hold(ACME, 1);
            assertThat(entered.toJson())
                    .startsWith("{\"allowed\":true,")
                    .endsWith("],\"holds\":\"" + entered.holds().orElseThrow() + "\"}");
            engine.hold(ACME, 1);
            EnteredRequest denied = engine.hold(ACME, 1);
            assertThat(denied.toJson()).isEqualTo(denied.decision().toJson());
        }
    }
}
