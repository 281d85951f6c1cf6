package io.sluice.benchmarks.local;

import io.sluice.Gate;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.benchmarks.common.Expect;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A Sluice gate: a limiter for one fixed key. */
public abstract class SluiceGate {
    private final Gate gate;

    SluiceGate(Limit limit) {
        gate = RateLimiter.of(limit).forKey("key");
    }

    final boolean tryAcquire() {
        return gate.tryAcquire();
    }

    @State(Scope.Benchmark)
    public static class Plenty extends SluiceGate {
        public Plenty() {
            super(Limit.tokenBucket(BenchmarkLimits.PLENTY, BenchmarkLimits.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Drained extends SluiceGate {
        public Drained() {
            super(Limit.tokenBucket(1, BenchmarkLimits.DAY));
            Expect.admitted(tryAcquire());
        }
    }
}
