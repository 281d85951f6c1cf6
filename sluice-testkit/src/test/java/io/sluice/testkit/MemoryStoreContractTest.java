package io.sluice.testkit;

import io.sluice.TimeSource;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.PolicyStore;

class MemoryStoreContractTest extends StoreContract {
    @Override
    public PolicyStore newStore(TimeSource time) {
        return MemoryStore.builder().time(time).build();
    }
}
