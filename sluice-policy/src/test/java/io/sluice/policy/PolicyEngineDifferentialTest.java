package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import org.junit.jupiter.api.Test;

class PolicyEngineDifferentialTest {
    @Test
    void memory_randomPoliciesAndRequests_areDecidedAsByTheModel() {
        int mixed = EngineDifferential.run(
                0, 60, 200, time -> MemoryStore.builder().time(time).build());
        assertThat(mixed).as("requests that only some policies denied").isGreaterThan(600);
    }
}
