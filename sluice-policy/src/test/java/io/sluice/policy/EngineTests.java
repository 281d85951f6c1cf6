package io.sluice.policy;

import io.sluice.spi.PolicyStore;
import io.sluice.testkit.ManualTime;

/** Creates engines for tests, on any store. */
interface EngineTests {
    /** An empty store. */
    PolicyStore newStore(ManualTime time);

    /** An engine on a new store. */
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

    /** Parses the list below {@code policies:}. */
    static Policies policies(String yaml) {
        return Policies.parse("version: 1\npolicies:\n" + yaml, "test.yaml");
    }
}
