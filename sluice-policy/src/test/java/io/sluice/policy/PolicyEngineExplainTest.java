package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Decision;
import io.sluice.policy.explain.Explanation;
import io.sluice.policy.explain.PolicyExplanation;
import io.sluice.testkit.ManualTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The explanation of a request: which policies apply or not and why, their limits, and their state. */
class PolicyEngineExplainTest {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: global, limit: fixed-window 100/d }
              - name: per-tenant
                match: { path: "/api/**" }
                key: [tenant, ip/24]
                limit: sliding-log 10/d
                overrides:
                  - { name: vip, match: { tenant: vip }, limit: 100/d }
                  - { match: { tenant: [acme, b] }, limit: sliding-log 5/d }
                  - { match: { tenant: "*" }, limit: sliding-log 7/d }
                reserve: { share: 20%, for: { priority: critical } }
              - { name: login, match: { path: /login, method: [POST, PUT] }, limit: blocked }
              - { name: by-user, key: [user], limit: 1/d }
              - { name: asleep, limit: 1/d, mode: 'off' }
            """;

    private static final Map<String, String> REQUEST =
            Map.of("tenant", "acme", "ip", "10.0.0.9", "path", "/x/../api//orders?q=1", "method", "GET");

    private final PolicyEngine engine = PolicyEngine.builder()
            .policies(Policies.parse(POLICIES, "test.yaml"))
            .time(new ManualTime())
            .build();

    @AfterEach
    void stop() {
        engine.close();
    }

    private PolicyExplanation of(String policy, Map<String, String> request) {
        return engine.explain(request, 1).policies().stream()
                .filter(each -> each.policy().name().equals(policy))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void explain_policyApplies_hasOverrideKeyLimitReserveAndState() {
        engine.check(REQUEST, 3);
        PolicyExplanation it = of("per-tenant", REQUEST);
        assertThat(it.applies()).isTrue();
        assertThat(it.skippedOverrides()).containsExactly("vip: tenant is \"acme\" (expected: \"vip\")");
        assertThat(it.override())
                .isSameAs(engine.policies().policies().get(1).overrides().get(1));
        assertThat(it.key()).isEqualTo(Map.of("tenant", "acme", "ip/24", "10.0.0.0/24"));
        assertThat(it.limit()).hasToString("sliding-log 5/d");
        assertThat(it.kept()).isEqualTo(1);
        assertThat(it.state()).isEqualTo(Decision.allowed(1, 0, 86_400_000_000L));
    }

    @Test
    void explain_policyDoesNotApply_namesTheCondition() {
        assertThat(of("login", REQUEST).reason())
                .isEqualTo("method is \"GET\" (expected: [\"POST\", \"PUT\"]); path is \"/api/orders\" (expected:"
                        + " \"/login\")");
        assertThat(of("login", Map.of("method", "PUT")).reason()).isEqualTo("path is absent (expected: \"/login\")");
        assertThat(of("by-user", REQUEST).reason()).isEqualTo("user is absent (expected: it is part of the key)");
        assertThat(of("asleep", REQUEST).reason()).isEqualTo("its mode is off");
        for (String policy : List.of("login", "by-user", "asleep")) {
            assertThat(of(policy, REQUEST).applies()).isFalse();
            assertThat(of(policy, REQUEST).state()).isNull();
        }
    }

    @Test
    void explain_chargesNothingAndAgreesWithCheck() {
        for (int i = 0; i < 6; i++) {
            Explanation before = engine.explain(REQUEST, 1);
            assertThat(engine.explain(REQUEST, 1)).isEqualTo(before);
            PolicyDecision decision = engine.check(REQUEST, 1);
            assertThat(decision.allowed()).isEqualTo(before.allowed()).isEqualTo(i < 4);
            assertThat(decision.results())
                    .extracting(PolicyResult::policy)
                    .containsExactlyElementsOf(before.policies().stream()
                            .filter(PolicyExplanation::applies)
                            .map(each -> each.policy().name())
                            .toList());
        }
    }

    @Test
    void explain_limitOfTheCalendar_hasItsPresentWindow() {
        // 2026-01-01T00:00:00Z, 05:30 in Kolkata.
        try (PolicyEngine calendar = PolicyEngine.builder()
                .policies(Policies.parse("""
                        version: 1
                        policies:
                          - { name: month, limit: fixed-window 10 per month zone Asia/Kolkata lockout 1m }
                          - { name: start, limit: warm-up 10/s over 1s }
                        """, "test.yaml"))
                .time(new ManualTime())
                .build()) {
            calendar.check(Map.of(), 4);
            Explanation explanation = calendar.explain(Map.of(), 1);
            assertThat(explanation.toString()).isEqualTo("""
                            would be denied

                            month: applies, every condition holds
                              key      one for all
                              limit    fixed-window 10 per month zone Asia/Kolkata lockout 1m
                              window   2026-01-01T00:00:00+05:30 to 2026-02-01T00:00:00+05:30
                              now      allowed, 6 remaining, fresh after 30 d 18 h 30 m

                            start: applies, every condition holds
                              key      one for all
                              limit    warm-up 10/s over 1s
                              now      denied, again after 880 ms, 0 remaining, fresh after 1.280 s
                            """);
            assertThat(explanation.toJson(Map.of(), 1))
                    .contains(
                            ",\"window\":{\"begin\":\"2026-01-01T00:00:00+05:30\",\"end\":\"2026-02-01T00:00:00+05:30\"}}")
                    .containsOnlyOnce("window\":");
        }
    }

    @Test
    void text_isForAReader() {
        engine.check(REQUEST, 4);
        assertThat(engine.explain(REQUEST, 1).attributes()).containsEntry("path", "/api/orders");
        assertThat(engine.explain(REQUEST, 1).toString()).isEqualTo("""
                        would be denied

                        global: applies, every condition holds
                          key      one for all
                          limit    fixed-window 100/d
                          now      allowed, 96 remaining, fresh after 1 d

                        per-tenant: applies, every condition holds
                          not      override vip: tenant is "acme" (expected: "vip")
                          override {"tenant": ["acme", "b"]}
                          key      tenant="acme" ip/24="10.0.0.0/24"
                          limit    sliding-log 5/d
                          reserve  1 kept for others
                          now      denied, again after 1 d, 0 remaining, fresh after 1 d

                        login: does not apply, method is "GET" (expected: ["POST", "PUT"]); path is "/api/orders" (expected: "/login")

                        by-user: does not apply, user is absent (expected: it is part of the key)

                        asleep: does not apply, its mode is off
                        """);
    }
}
