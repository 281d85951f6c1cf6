package io.sluice.benchmarks;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;

/** Many keys in Sluice's memory store, each used once already. */
final class SluiceKeys {
    private final RateLimiter limiter = MemoryStore.builder()
            .maxKeys(ManyKeys.MAX)
            .build()
            .limiter("bench", Limit.tokenBucket(ManyKeys.PERMITS, Rates.DAY).burst(ManyKeys.BURST));

    SluiceKeys(String[] keys) {
        for (String key : keys) {
            Expect.admitted(tryAcquire(key));
        }
    }

    boolean tryAcquire(String key) {
        return limiter.tryAcquire(key);
    }
}
