package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One version of the policies decides each request as a whole. */
class PolicyEngineAtomicityTest {
    @Test
    void replace_concurrentRequests_eachDecisionUsesOneVersion() throws Exception {
        PolicyVersions versions = PolicyVersions.all();
        try (PolicyEngine engine =
                PolicyEngine.builder().policies(versions.beginning()).build()) {
            PolicyVersions.useUp(engine);
            engine.replace(versions.policies(0));
            Map<Integer, Long> seen =
                    versions.during(List.of(engine), 500, i -> engine.replace(versions.policies(i % 2)));
            assertThat(seen).containsOnlyKeys(0, 1);
        }
    }
}
