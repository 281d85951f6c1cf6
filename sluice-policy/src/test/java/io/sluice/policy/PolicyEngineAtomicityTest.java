package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No request sees half of one version and half of the next. */
class PolicyEngineAtomicityTest {
    @Test
    void replace_whileOthersAsk_everyDecisionIsWhollyOneVersion() throws Exception {
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
