package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualTime;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A replacement of policies keeps the state: state belongs to names and matches, never to the text of a limit. */
interface ReplaceContract extends EngineTests {
    String BEFORE = "- { name: per-tenant, key: [tenant], limit: sliding-log 10/d }\n";

    private static String overridden(String override) {
        return "- { name: per-tenant, key: [tenant], limit: sliding-log 10/d, overrides: [" + override + "] }\n";
    }

    private static long remaining(PolicyEngine engine, String tenant) {
        return engine.check(Map.of("tenant", tenant), 0)
                .results()
                .get(0)
                .decision()
                .remaining();
    }

    private static void replace(PolicyEngine engine, String yaml) {
        engine.replace(EngineTests.policies(yaml));
    }

    /** An engine where acme has used 4 permits, and other has used 1. */
    private PolicyEngine used() {
        PolicyEngine engine = engine(new ManualTime(), BEFORE);
        engine.check(Map.of("tenant", "acme"), 4);
        engine.check(Map.of("tenant", "other"), 1);
        return engine;
    }

    @Test
    default void replace_anotherLimit_keepsUse() {
        try (PolicyEngine engine = used()) {
            replace(engine, BEFORE.replace("10/d", "12/d"));
            assertThat(remaining(engine, "acme")).isEqualTo(8);
            replace(engine, BEFORE.replace("sliding-log 10/d", "fixed-window 5/d"));
            assertThat(remaining(engine, "acme")).isEqualTo(1);
            replace(engine, BEFORE.replace("10/d", "3/d"));
            assertThat(remaining(engine, "acme")).as("a debt").isZero();
            assertThat(engine.version()).isEqualTo(4);
        }
    }

    @Test
    default void replace_limitIsUnlimitedForAWhile_keepsUse() {
        try (PolicyEngine engine = used()) {
            replace(engine, BEFORE.replace("sliding-log 10/d", "unlimited"));
            assertThat(remaining(engine, "acme")).isEqualTo(Long.MAX_VALUE);
            replace(engine, BEFORE);
            assertThat(remaining(engine, "acme")).isEqualTo(6);
        }
    }

    @Test
    default void replace_anotherOrderModeAndMatch_keepsUse() {
        try (PolicyEngine engine = used()) {
            replace(
                    engine,
                    "- { name: new, match: { tenant: nobody }, limit: 1/d }\n"
                            + BEFORE.replace("key:", "mode: shadow, match: { tenant: '*' }, key:"));
            assertThat(remaining(engine, "acme")).isEqualTo(6);
        }
    }

    @Test
    default void replace_policyRemovedAndAddedAgain_keepsUse() {
        try (PolicyEngine engine = used()) {
            replace(engine, "- { name: another, key: [tenant], limit: 3/d }\n");
            assertThat(engine.check(Map.of("tenant", "acme"), 0).results())
                    .extracting(PolicyResult::policy)
                    .containsExactly("another");
            replace(engine, BEFORE);
            assertThat(remaining(engine, "acme")).isEqualTo(6);
        }
    }

    @Test
    default void replace_policyRenamed_isFresh() {
        try (PolicyEngine engine = used()) {
            replace(engine, BEFORE.replace("per-tenant", "each-tenant"));
            assertThat(remaining(engine, "acme")).isEqualTo(10);
        }
    }

    @Test
    default void replace_overrideAdded_hasItsOwnState() {
        try (PolicyEngine engine = used()) {
            replace(engine, overridden("{ name: vip, match: { tenant: acme }, limit: sliding-log 20/d }"));
            assertThat(remaining(engine, "acme")).isEqualTo(20);
            assertThat(remaining(engine, "other")).isEqualTo(9);
            replace(engine, BEFORE);
            assertThat(remaining(engine, "acme")).isEqualTo(6);
        }
    }

    @Test
    default void replace_overrideWithANameMatchesOthers_keepsUse() {
        try (PolicyEngine engine =
                engine(new ManualTime(), overridden("{ name: vip, match: { tenant: acme }, limit: 20/d }"))) {
            engine.check(Map.of("tenant", "acme"), 5);
            replace(engine, overridden("{ name: vip, match: { tenant: [acme, b] }, limit: 30/d }"));
            assertThat(remaining(engine, "acme")).isEqualTo(25);
            assertThat(remaining(engine, "b")).isEqualTo(30);
        }
    }

    @Test
    default void replace_overrideWithoutANameMatchesOthers_isFresh() {
        try (PolicyEngine engine = engine(new ManualTime(), overridden("{ match: { tenant: acme }, limit: 20/d }"))) {
            engine.check(Map.of("tenant", "acme"), 5);
            replace(engine, overridden("{ match: { tenant: [acme] }, limit: 30/d }"));
            assertThat(remaining(engine, "acme"))
                    .as("the same match, written otherwise")
                    .isEqualTo(25);
            replace(engine, overridden("{ match: { tenant: [acme, b] }, limit: 30/d }"));
            assertThat(remaining(engine, "acme")).isEqualTo(30);
        }
    }

    @Test
    default void replace_anotherReserve_settleAnswersAsALookNow() {
        String reserve = "- { name: p, limit: fixed-window 100/d, reserve: { share: 20%, for: { priority: high } } }\n";
        try (PolicyEngine engine = engine(new ManualTime(), reserve)) {
            Map<String, String> low = Map.of("priority", "low");
            PolicyReservation first = engine.reserve(low, 10);
            PolicyReservation second = engine.reserve(low, 10);
            PolicyReservation third = engine.reserve(Map.of("priority", "high"), 10);
            replace(engine, reserve.replace("100/d", "200/d").replace("20%", "30%"));
            assertThat(first.settle(5)).as("200, less 25 and 60").isEqualTo(engine.check(low, 0));
            replace(engine, reserve.replace("20%", "90%"));
            PolicyDecision inReserve = second.settle(15);
            assertThat(inReserve.allowed()).as("70 are left, 90 are kept").isFalse();
            assertThat(inReserve).isEqualTo(engine.check(low, 0));
            assertThat(third.settle(10)).isEqualTo(engine.check(Map.of("priority", "high"), 0));
        }
    }
}
