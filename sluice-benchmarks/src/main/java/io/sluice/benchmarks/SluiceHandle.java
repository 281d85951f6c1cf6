package io.sluice.benchmarks;

import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Sluice's handle for one key. */
public abstract class SluiceHandle {
    private final Gate gate;

    SluiceHandle(Limit limit) {
        gate = RateLimiter.of(limit).forKey("key");
    }

    final boolean tryAcquire() {
        return gate.tryAcquire();
    }

    @State(Scope.Benchmark)
    public static class Plenty extends SluiceHandle {
        public Plenty() {
            super(Limit.tokenBucket(Rates.PLENTY, Rates.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Drained extends SluiceHandle {
        public Drained() {
            super(Limit.tokenBucket(1, Rates.DAY));
            Expect.admitted(tryAcquire());
        }
    }
}
