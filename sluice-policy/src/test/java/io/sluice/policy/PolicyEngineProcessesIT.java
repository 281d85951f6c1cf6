package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Processes with different policies on one Redis. On virtual time they notice each other only through their calls. */
class PolicyEngineProcessesIT {
    private static final String POLICIES = """
            - { name: global, limit: sliding-log 10/d }
            - { name: per-tenant, key: [tenant], limit: sliding-log 10/d }
            - { name: per-path, key: [path], limit: sliding-log 10/d }
            """;

    private final ManualTime time = new ManualTime();
    private final String prefix = PolicyRedis.newPrefix();

    private PolicyEngine engine() {
        return EngineTests.engine(PolicyRedis.store(time, prefix), time, POLICIES);
    }

    private static List<Long> remaining(PolicyEngine engine) {
        PolicyDecision decision = engine.check(Map.of("tenant", "acme", "path", "/"));
        assertThat(decision.degraded()).as("%s", decision).isFalse();
        return decision.results().stream()
                .map(result -> result.decision().remaining())
                .toList();
    }

    @Test
    void otherProcess_changesAllLimits_theNextDecisionUsesThem() {
        try (PolicyEngine one = engine();
                PolicyEngine other = engine()) {
            assertThat(remaining(one)).containsExactly(9L, 9L, 9L);
            assertThat(remaining(other)).containsExactly(8L, 8L, 8L);
            one.replace(EngineTests.policies(POLICIES.replace("10/d", "20/d")));
            assertThat(remaining(one)).containsExactly(17L, 17L, 17L);
            assertThat(remaining(other)).containsExactly(16L, 16L, 16L);
        }
    }
}
