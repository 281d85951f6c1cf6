package io.sluice.policy;

import io.sluice.MemoryStore;
import io.sluice.Store;
import io.sluice.testkit.ManualTime;

class PolicyEngineTest
        implements TogetherContract, SeveralContract, TenantContract, ModeContract, ReserveContract, ReplaceContract {
    @Override
    public Store newStore(ManualTime time) {
        return MemoryStore.builder().time(time).build();
    }
}
