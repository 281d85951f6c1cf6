package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualTime;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Four policies on one request (global, tenant, user, address): all are charged, or none. */
interface AllOrNothingContract extends EngineTests {
    String FOUR = """
            - { name: global, limit: fixed-window 100/d }
            - { name: per-tenant, key: [tenant], limit: sliding-log 10/d }
            - { name: per-user, key: [tenant, user], limit: 4 per 1d }
            - { name: per-ip, key: [ip], limit: leaky-bucket 6/d }
            """;

    private static Map<String, String> request(String tenant, String user, String ip) {
        return Map.of("tenant", tenant, "user", user, "ip", ip);
    }

    @Test
    default void request_allAllow_chargesAll() {
        try (PolicyEngine engine = engine(new ManualTime(), FOUR)) {
            PolicyDecision decision = engine.check(request("acme", "ann", "10.0.0.1"), 3);
            assertThat(decision.allowed()).isTrue();
            assertThat(decision.violated()).isEmpty();
            assertThat(decision.results())
                    .extracting(PolicyResult::policy)
                    .containsExactly("global", "per-tenant", "per-user", "per-ip");
            assertThat(decision.results())
                    .extracting(result -> result.decision().remaining())
                    .containsExactly(97L, 7L, 1L, 3L);
        }
    }

    @Test
    default void request_oneDenies_chargesNothingAnywhere() {
        try (PolicyEngine engine = engine(new ManualTime(), FOUR)) {
            engine.check(request("acme", "ann", "10.0.0.1"), 3);
            PolicyDecision denied = engine.check(request("acme", "ann", "10.0.0.2"), 2);
            assertThat(denied.allowed()).isFalse();
            assertThat(denied.violated()).containsExactly("per-user");
            assertThat(denied.results())
                    .extracting(result -> result.decision().remaining())
                    .containsExactly(97L, 7L, 1L, 6L);
        }
    }

    @Test
    default void request_severalDeny_namesAllAndTheLongestWait() {
        try (PolicyEngine engine = engine(new ManualTime(), FOUR)) {
            engine.check(request("acme", "ann", "10.0.0.1"), 4);
            engine.check(request("acme", "bob", "10.0.0.1"), 2);
            PolicyDecision denied = engine.check(request("acme", "ann", "10.0.0.1"), 5);
            assertThat(denied.violated()).containsExactly("per-tenant", "per-user", "per-ip");
            assertThat(denied.retryAfterMicros()).as("a user has 4 at most").isEqualTo(Long.MAX_VALUE);
            denied = engine.check(request("acme", "ann", "10.0.0.1"), 2);
            assertThat(denied.violated()).containsExactly("per-user", "per-ip");
            assertThat(denied.retryAfterMicros())
                    .as("two of four a day")
                    .isEqualTo(12 * 3_600_000_000L)
                    .isEqualTo(denied.results().get(2).decision().retryAfterMicros())
                    .isGreaterThan(denied.results().get(3).decision().retryAfterMicros());
        }
    }

    @Test
    default void request_withoutAnAttributeOfTheKey_isNotChargedThere() {
        try (PolicyEngine engine = engine(new ManualTime(), FOUR)) {
            assertThat(engine.check(Map.of("tenant", "acme")).results())
                    .extracting(PolicyResult::policy)
                    .containsExactly("global", "per-tenant");
        }
    }
}
