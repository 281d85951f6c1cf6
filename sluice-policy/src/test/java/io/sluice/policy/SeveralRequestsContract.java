package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.ManualTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several requests in one call: each has its own verdict; all are charged, or none. */
interface SeveralRequestsContract extends EngineTests {
    String TWO = """
            - { name: global, limit: fixed-window 10/d }
            - { name: per-user, key: [user], limit: sliding-log 4/d lockout 1h }
            """;

    private static PolicyRequest user(String user, long permits) {
        return new PolicyRequest(Map.of("user", user), permits);
    }

    private static List<Long> remaining(PolicyDecision decision) {
        return decision.results().stream()
                .map(result -> result.decision().remaining())
                .toList();
    }

    @Test
    default void requests_allAllowed_chargeEveryPolicyForEach() {
        try (PolicyEngine engine = engine(new ManualTime(), TWO)) {
            PolicyDecisions decisions = engine.check(List.of(user("ann", 3), user("bob", 2)), List.of());
            assertThat(decisions.allowed()).isTrue();
            assertThat(decisions.each()).hasSize(2).allMatch(PolicyDecision::allowed);
            assertThat(remaining(decisions.each().get(0))).containsExactly(5L, 1L);
            assertThat(remaining(decisions.each().get(1))).containsExactly(5L, 2L);
        }
    }

    @Test
    default void requests_oneDenied_chargeNothingAndEachHasItsOwnVerdict() {
        try (PolicyEngine engine = engine(new ManualTime(), TWO)) {
            PolicyDecisions decisions = engine.check(List.of(user("ann", 5), user("bob", 2)), List.of());
            assertThat(decisions.allowed()).isFalse();
            assertThat(decisions.each()).extracting(PolicyDecision::allowed).containsExactly(false, true);
            assertThat(decisions.each().get(0).violated()).containsExactly("per-user");
            assertThat(remaining(decisions.each().get(1))).containsExactly(10L, 4L);
            assertThat(engine.check(Map.of("user", "ann"), 1).violated())
                    .as("what denied is locked")
                    .containsExactly("per-user");
            assertThat(engine.check(Map.of("user", "bob"), 1).allowed())
                    .as("and nothing else")
                    .isTrue();
        }
    }

    @Test
    default void requests_ofOneKey_mustFitTogether() {
        try (PolicyEngine engine = engine(new ManualTime(), TWO)) {
            PolicyDecisions fits = engine.check(List.of(user("ann", 2), user("ann", 2)), List.of());
            assertThat(fits.allowed()).isTrue();
            assertThat(fits.each())
                    .allSatisfy(each -> assertThat(remaining(each)).containsExactly(6L, 0L));
            PolicyDecisions over = engine.check(List.of(user("bob", 2), user("bob", 3)), List.of());
            assertThat(over.each()).extracting(PolicyDecision::allowed).containsExactly(false, false);
            assertThat(remaining(over.each().get(0))).as("nothing was taken").containsExactly(6L, 0L);
        }
    }

    @Test
    default void requests_withAFurtherCharge_areOneDecision() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter own = store.limiter("a limit of the call", Limit.parse("fixed-window 2/d"));
        try (PolicyEngine engine = EngineTests.engine(store, time, TWO)) {
            List<Charge> also = List.of(own.charge("k", 1));
            PolicyDecisions first = engine.check(List.of(user("ann", 1)), also);
            assertThat(first.allowed()).isTrue();
            assertThat(first.also()).extracting(Decision::remaining).containsExactly(1L);
            assertThat(engine.check(List.of(user("ann", 9)), also).also())
                    .as("allowed, but not taken")
                    .containsExactly(Decision.allowed(1, 0, first.also().get(0).resetAfterMicros()));
            engine.check(List.of(user("bob", 1)), also);
            PolicyDecisions denied = engine.check(List.of(user("bob", 1)), also);
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.each().get(0).allowed()).isTrue();
            assertThat(remaining(denied.each().get(0))).containsExactly(8L, 3L);
        }
    }

    @Test
    default void furtherCharge_withBlockedPolicy_isNotTaken() {
        ManualTime time = new ManualTime();
        PolicyStore store = newStore(time);
        RateLimiter own = store.limiter("a limit of the call", Limit.parse("fixed-window 2/d"));
        try (PolicyEngine engine = EngineTests.engine(store, time, "- { name: closed, limit: blocked }")) {
            PolicyDecisions decisions = engine.check(List.of(user("ann", 1)), List.of(own.charge("k", 1)));
            assertThat(decisions.allowed()).isFalse();
            assertThat(decisions.also()).extracting(Decision::remaining).containsExactly(2L);
        }
    }

    @Test
    default void request_noPolicies_isAllowed() {
        try (PolicyEngine engine = engine(new ManualTime(), TWO)) {
            assertThat(engine.check(List.of(), List.of()).allowed()).isTrue();
        }
    }
}
