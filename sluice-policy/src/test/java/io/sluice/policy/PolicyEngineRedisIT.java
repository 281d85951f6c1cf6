package io.sluice.policy;

import io.sluice.Store;
import io.sluice.testkit.ManualTime;

class PolicyEngineRedisIT
        implements TogetherContract, SeveralContract, TenantContract, ModeContract, ReserveContract, ReplaceContract {
    @Override
    public Store newStore(ManualTime time) {
        return PolicyRedis.store(time);
    }
}
