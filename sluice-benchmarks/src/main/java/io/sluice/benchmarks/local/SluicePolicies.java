package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.Expect;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import java.util.Map;

/** Policies of which three apply to each request. Each other policy is for a tenant that sends no requests. */
abstract class SluicePolicies {
    private final PolicyEngine engine;
    private final Visitors visitors = new Visitors();

    SluicePolicies(int policies) {
        StringBuilder yaml = new StringBuilder("""
                version: 1
                policies:
                  - { name: global, limit: 1000000000/s }
                  - { name: per-tenant, match: { path: "/api/**" }, key: [tenant], limit: 1000000000/s }
                  - { name: per-address, key: [ip], limit: 1000000000/s }
                """);
        for (int i = 3; i < policies; i++) {
            yaml.append("  - { name: other-" + i + ", match: { tenant: other-" + i + " }, limit: 10/s }\n");
        }
        engine = PolicyEngine.builder()
                .policies(Policies.parse(yaml.toString(), "bench.yaml"))
                .build();
        // Calls until all code is compiled: a short warm-up run is not enough.
        for (int i = 0; i < 400_000; i++) {
            check();
        }
    }

    final PolicyDecision check() {
        Map<String, String> visitor = visitors.next();
        PolicyDecision decision = engine.check(visitor);
        Expect.admitted(decision.allowed());
        if (decision.results().size() != 3) {
            throw new IllegalStateException(decision.results().size() + " policies applied (expected: 3)");
        }
        return decision;
    }
}
