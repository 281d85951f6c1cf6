package io.sluice.policy;

import io.sluice.memory.MemoryStore;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.ManualTime;

class PolicyEngineTest
        implements AllOrNothingContract,
                SeveralRequestsContract,
                TenantContract,
                ModeContract,
                ReserveContract,
                ChargeContract,
                EstimateContract,
                EnterContract,
                ReplaceContract {
    @Override
    public PolicyStore newStore(ManualTime time) {
        return MemoryStore.builder().time(time).build();
    }
}
