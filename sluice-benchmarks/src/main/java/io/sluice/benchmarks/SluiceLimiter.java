package io.sluice.benchmarks;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Sluice, asked by the key's name. */
@State(Scope.Benchmark)
public class SluiceLimiter {
    private final RateLimiter limiter = RateLimiter.of(Limit.tokenBucket(Rates.PLENTY, Rates.SECOND));
    private final String key = "key";

    boolean tryAcquire() {
        return limiter.tryAcquire(key);
    }

    Decision check() {
        return limiter.check(key, 1);
    }
}
