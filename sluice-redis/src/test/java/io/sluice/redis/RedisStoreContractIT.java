package io.sluice.redis;

import io.sluice.TimeSource;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.StoreContract;

class RedisStoreContractIT extends StoreContract {
    @Override
    public PolicyStore newStore(TimeSource time) {
        return TestRedis.store(time);
    }

    /** Fewer on the other servers and with the other client, which run the same script. */
    @Override
    public int decisions() {
        return Integer.getInteger("sluice.contract.decisions", 100_000);
    }
}
