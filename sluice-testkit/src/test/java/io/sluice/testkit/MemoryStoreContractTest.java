package io.sluice.testkit;

import io.sluice.MemoryStore;
import io.sluice.Store;
import io.sluice.TimeSource;

class MemoryStoreContractTest extends StoreContract {
    @Override
    public Store newStore(TimeSource time) {
        return MemoryStore.builder().time(time).build();
    }
}
