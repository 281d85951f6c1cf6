package io.sluice.benchmarks.local;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.benchmarks.common.Expect;
import io.sluice.memory.MemoryStore;

/** Many keys in the memory store of Sluice. Each key was used once. */
final class SluiceKeys {
    private final RateLimiter limiter = MemoryStore.builder()
            .maxKeys(ManyKeys.MAX)
            .build()
            .limiter(
                    "bench",
                    Limit.tokenBucket(ManyKeys.PERMITS, BenchmarkLimits.DAY).burst(ManyKeys.BURST));

    SluiceKeys(String[] keys) {
        for (String key : keys) {
            Expect.admitted(tryAcquire(key));
        }
    }

    boolean tryAcquire(String key) {
        return limiter.tryAcquire(key);
    }
}
