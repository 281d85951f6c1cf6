package io.sluice.benchmarks.local;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A Sluice limiter, called with the name of the key. */
@State(Scope.Benchmark)
public class SluiceLimiter {
    private final RateLimiter limiter =
            RateLimiter.of(Limit.tokenBucket(BenchmarkLimits.PLENTY, BenchmarkLimits.SECOND));
    private final String key = "key";

    boolean tryAcquire() {
        return limiter.tryAcquire(key);
    }

    Decision check() {
        return limiter.check(key, 1);
    }
}
