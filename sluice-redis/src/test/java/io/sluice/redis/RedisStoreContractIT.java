package io.sluice.redis;

import io.sluice.TimeSource;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.StoreContract;

class RedisStoreContractIT extends StoreContract {
    @Override
    public PolicyStore newStore(TimeSource time) {
        return TestRedis.store(time);
    }

    /**
     * With all kinds, both ways of time, 200 steps and two decisions in each: more than 100,000 decisions. A quarter of that on
     * the second Redis, which runs the same script.
     */
    @Override
    public int traces() {
        return Integer.getInteger("sluice.contract.traces", 24);
    }
}
