package io.sluice.policy;

import io.sluice.spi.PolicyStore;
import io.sluice.testkit.ManualTime;

/** What tests of an engine need, on any store. */
interface EngineTests {
    /** A store in which nothing is known yet. */
    PolicyStore newStore(ManualTime time);

    /** An engine on a store of its own. */
    default PolicyEngine engine(ManualTime time, String yaml) {
        return engine(newStore(time), time, yaml);
    }

    static PolicyEngine engine(PolicyStore store, ManualTime time, String yaml) {
        return PolicyEngine.builder()
                .policies(policies(yaml))
                .store(store)
                .time(time)
                .build();
    }

    /** What stands under {@code policies:}. */
    static Policies policies(String yaml) {
        return Policies.parse("version: 1\npolicies:\n" + yaml, "test.yaml");
    }
}
