package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.testkit.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each tenant has its own limit, and tenants do not affect each other. */
interface TenantContract extends EngineTests {
    String TENANTS = """
            - name: per-tenant
              key: [tenant]
              limit: 10 per 1s burst 5
              overrides:
                - { match: { tenant: big }, limit: sliding-log 8 per 1s lockout 2s }
                - { match: { tenant: ops }, limit: unlimited }
                - { match: { tenant: "banned-*" }, limit: blocked }
            - { name: per-path, key: [tenant, path], limit: leaky-bucket 6/s }
            """;

    private static Map<String, String> of(String tenant) {
        return Map.of("tenant", tenant);
    }

    @Test
    default void flood_ofOneTenant_leavesTheDecisionsOfOthersUntouched() {
        List<String> quiet = othersWith(0);
        assertThat(othersWith(5)).isEqualTo(quiet);
        assertThat(String.join("\n", quiet)).contains("\"violated\":[\"per-tenant\"", "\"violated\":[]");
    }

    /** The decisions for the other tenants, while one tenant sends this number of requests between theirs. */
    private List<String> othersWith(int flood) {
        Random random = new Random(7);
        ManualTime time = new ManualTime();
        List<String> decisions = new ArrayList<>();
        try (PolicyEngine engine = engine(time, TENANTS)) {
            for (int i = 0; i < 150; i++) {
                time.advanceMicros(random.nextInt(100_000));
                for (int n = 0; n < flood; n++) {
                    engine.check(Map.of("tenant", "flood", "path", "/" + n % 3), 1 + n % 2);
                }
                String tenant = List.of("big", "small", "ops", "banned-1").get(random.nextInt(4));
                decisions.add(engine.check(Map.of("tenant", tenant, "path", "/0"), 1 + random.nextInt(3))
                        .toJson());
            }
        }
        return decisions;
    }

    @Test
    default void override_ofATenant_usesItsLimit() {
        try (PolicyEngine engine = engine(new ManualTime(), TENANTS)) {
            assertThat(engine.check(of("small"), 6).allowed()).isFalse();
            assertThat(engine.check(of("big"), 6).allowed()).isTrue();
            assertThat(engine.check(of("big"), 1).results().get(0).limit()).hasToString("sliding-log 8/s lockout 2s");
        }
    }

    @Test
    default void overrides_sameMatch_theFirstApplies() {
        String twice = """
                - name: per-tenant
                  key: [tenant]
                  limit: 1/d
                  overrides:
                    - { match: { tenant: acme }, limit: 3/d }
                    - { match: { tenant: acme }, limit: 5/d }
                """;
        try (PolicyEngine engine = engine(new ManualTime(), twice)) {
            assertThat(engine.check(of("acme"), 4).allowed()).isFalse();
            assertThat(engine.check(of("acme"), 3).allowed()).isTrue();
        }
    }

    @Test
    default void overrideName_likeAMatch_hasItsOwnState() {
        String alike = """
                - name: per-tenant
                  limit: 1/d
                  overrides:
                    - { match: { tenant: acme }, limit: 3/d }
                    - { name: '{"tenant": "acme"}', match: { tenant: other }, limit: 5/d }
                """;
        try (PolicyEngine engine = engine(new ManualTime(), alike)) {
            assertThat(engine.check(of("acme"), 4).allowed()).isFalse();
            assertThat(engine.check(of("acme"), 3).allowed()).isTrue();
            assertThat(engine.check(of("other"), 5).allowed()).isTrue();
        }
    }

    @Test
    default void unlimitedTenant_anyRequest_isAllowed() {
        try (PolicyEngine engine = engine(new ManualTime(), TENANTS)) {
            for (int i = 0; i < 3; i++) {
                PolicyDecision decision = engine.check(of("ops"), 1_000_000_000);
                assertThat(decision.allowed()).isTrue();
                assertThat(decision.results().get(0).decision()).isEqualTo(Decision.allowed(Long.MAX_VALUE, 0, 0));
            }
        }
    }

    @Test
    default void blockedTenant_anyRequest_isDeniedForeverAndChargesNothing() {
        String blocked = TENANTS + "- { name: global, limit: 100/d }\n- { name: login, limit: 2/d lockout 1h }\n";
        try (PolicyEngine engine = engine(new ManualTime(), blocked)) {
            PolicyDecision decision = engine.check(of("banned-7"), 1);
            assertThat(decision.allowed()).isFalse();
            assertThat(decision.violated()).containsExactly("per-tenant");
            assertThat(decision.retryAfterMicros()).isEqualTo(Decision.NEVER);
            assertThat(decision.results())
                    .extracting(result -> result.decision().remaining())
                    .containsExactly(0L, 100L, 2L);
            assertThat(engine.check(of("banned-7"), 3).violated()).containsExactly("per-tenant", "login");
            assertThat(engine.check(of("small"), 1).violated())
                    .as("a limit that itself denied the blocked tenant has started its lockout")
                    .containsExactly("login");
        }
    }
}
