package io.sluice.redis;

import io.sluice.Store;
import io.sluice.TimeSource;
import io.sluice.testkit.StoreContract;

class RedisStoreContractIT extends StoreContract {
    @Override
    public Store newStore(TimeSource time) {
        return TestRedis.store(time);
    }
}
