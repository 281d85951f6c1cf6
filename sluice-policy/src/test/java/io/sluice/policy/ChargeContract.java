package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Costs that are known only afterwards: {@code charge: always} and charges by force. */
interface ChargeContract extends EngineTests {
    Map<String, String> REQUEST = Map.of("tenant", "acme");

    private static Decision of(PolicyDecision decision, String policy) {
        return decision.results().stream()
                .filter(result -> result.policy().equals(policy))
                .findFirst()
                .orElseThrow()
                .decision();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "100 per 1h",
                "100 per 1h refill interval",
                "leaky-bucket 100 per 1h",
                "fixed-window 100 per 1h from-first",
                "fixed-window 100 per year",
                "sliding-log 100 per 1h",
                "sliding-counter 100 per 1h"
            })
    default void always_moreThanIsLeft_countsAsADebt(String limit) {
        try (PolicyEngine engine = engine(new ManualTime(), "- { name: p, limit: " + limit + ", charge: always }\n")) {
            assertThat(of(engine.check(REQUEST, 60), "p").remaining()).isEqualTo(40);
            Decision denied = of(engine.check(REQUEST, 70), "p");
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.remaining()).isZero();
            assertThat(denied.debt()).isEqualTo(30);
            assertThat(engine.counters()).hasEntrySatisfying("p", counters -> {
                assertThat(counters.debt()).isEqualTo(30);
                assertThat(counters.permits()).isEqualTo(130);
            });
            assertThat(engine.requestCounters().debt()).isEqualTo(30);
            assertThat(engine.inspect(REQUEST).toCompletableFuture().join())
                    .extracting(status -> status.state().debt())
                    .containsExactly(30L);
            assertThat(engine.explain(REQUEST, 0)).satisfies(explanation -> {
                assertThat(explanation.toString()).contains(", debt 30, fresh after ");
                assertThat(explanation.toJson(REQUEST, 0)).contains("\"remaining\":0,\"debt\":30,");
            });
            assertThat(engine.check(REQUEST, 0).allowed()).as("in debt").isFalse();
            assertThat(engine.check(REQUEST, 1000).allowed()).isFalse();
            assertThat(engine.check(REQUEST, 0).allowed()).isFalse();
        }
    }

    @Test
    default void always_severalRequestsOnOneKey_countOneDebt() {
        try (PolicyEngine engine =
                engine(new ManualTime(), "- { name: p, limit: fixed-window 100 per year, charge: always }\n")) {
            PolicyRequest half = new PolicyRequest(REQUEST, 60);
            engine.check(List.of(half, half), List.of());
            assertThat(engine.counters()).hasEntrySatisfying("p", counters -> {
                assertThat(counters.permits()).isEqualTo(120);
                assertThat(counters.debt()).isEqualTo(20);
            });
        }
    }

    @Test
    default void always_debtOfABucket_isPaidByTime() {
        ManualTime time = new ManualTime();
        try (PolicyEngine engine = engine(time, "- { name: p, limit: 100 per 100s, charge: always }\n")) {
            engine.check(REQUEST, 60);
            engine.check(REQUEST, 70);
            assertThat(of(engine.check(REQUEST, 0), "p").retryAfter()).isEqualTo(Duration.ofSeconds(30));
            time.advance(Duration.ofSeconds(30));
            assertThat(engine.check(REQUEST, 0).allowed())
                    .as("the debt is paid")
                    .isTrue();
        }
    }

    @Test
    default void always_otherPolicyDenies_countsAllTheSame() {
        try (PolicyEngine engine = engine(new ManualTime(), """
                - { name: budget, key: [tenant], limit: fixed-window 100 per 1h from-first, charge: always }
                - { name: burst, limit: fixed-window 5 per 1h from-first }
                - { name: own, limit: fixed-window 50 per 1h from-first, scope: process, charge: always }
                - { name: gate, limit: fixed-window 5 per 1h from-first, scope: process }
                """)) {
            PolicyDecision denied = engine.check(REQUEST, 8);
            assertThat(denied.violated()).containsExactly("burst", "gate");
            assertThat(of(denied, "budget").remaining()).isEqualTo(92);
            assertThat(of(denied, "own").remaining()).isEqualTo(42);
            assertThat(of(denied, "burst").remaining()).isEqualTo(5);
            assertThat(of(denied, "gate").remaining()).isEqualTo(5);
        }
    }

    @Test
    default void always_lockedKey_isChargedToo() {
        ManualTime time = new ManualTime();
        try (PolicyEngine engine =
                engine(time, "- { name: p, limit: fixed-window 10 per 1h from-first lockout 1m, charge: always }\n")) {
            engine.check(REQUEST, 11);
            engine.check(REQUEST, 5);
            time.advance(Duration.ofMinutes(1));
            assertThat(of(engine.check(REQUEST, 0), "p").allowed())
                    .as("no longer locked, but 6 in debt")
                    .isFalse();
        }
    }

    @Test
    default void charge_byForce_takesFromEveryPolicyAndAnswersAsALook() {
        try (PolicyEngine engine = engine(new ManualTime(), """
                - { name: shared, limit: fixed-window 100 per 1h from-first }
                - { name: own, limit: fixed-window 50 per 1h from-first, scope: process }
                - { name: shadow, limit: fixed-window 10 per 1h from-first, mode: shadow }
                - { name: free, limit: unlimited }
                """)) {
            PolicyDecision charged = engine.charge(REQUEST, 40);
            assertThat(charged.allowed()).isTrue();
            assertThat(of(charged, "shared").remaining()).isEqualTo(60);
            assertThat(of(charged, "own").remaining()).isEqualTo(10);
            assertThat(of(charged, "shadow").allowed()).isFalse();
            PolicyDecision inDebt = engine.charge(REQUEST, 40);
            assertThat(inDebt.violated()).containsExactly("own");
            assertThat(of(inDebt, "own").debt()).isEqualTo(30);
            assertThat(of(inDebt, "shadow").debt()).isEqualTo(70);
            assertThat(engine.counters())
                    .hasEntrySatisfying("own", own -> assertThat(own.debt()).isEqualTo(30))
                    .hasEntrySatisfying(
                            "shadow",
                            shadow -> assertThat(shadow.debt()).as("30 and 40").isEqualTo(70))
                    .hasEntrySatisfying("shared", shared -> {
                        assertThat(shared.debt()).isZero();
                        assertThat(shared.permits()).isEqualTo(80);
                    });
            assertThat(of(inDebt, "shared").remaining()).isEqualTo(20);
            assertThat(engine.check(REQUEST, 0).violated()).containsExactly("own");
        }
    }

    @Test
    default void charge_ofNothing_isALook() {
        try (PolicyEngine engine = engine(new ManualTime(), "- { name: p, limit: 10 per 1h }\n")) {
            assertThat(of(engine.charge(REQUEST, 0), "p").remaining()).isEqualTo(10);
            assertThat(of(engine.check(REQUEST, 0), "p").resetAfterMicros()).isZero();
        }
    }
}
