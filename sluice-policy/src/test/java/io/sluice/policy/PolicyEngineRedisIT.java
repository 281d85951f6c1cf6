package io.sluice.policy;

import io.sluice.spi.PolicyStore;
import io.sluice.testkit.ManualTime;

class PolicyEngineRedisIT
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
        return PolicyRedis.store(time);
    }
}
