package io.sluice.benchmarks.local;

import com.google.common.util.concurrent.RateLimiter;
import io.sluice.benchmarks.common.Expect;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Guava's rate limiter: arithmetic on doubles under a lock. */
public abstract class GuavaPeer {
    private final RateLimiter limiter;

    GuavaPeer(RateLimiter limiter) {
        this.limiter = limiter;
    }

    final boolean tryAcquire() {
        return limiter.tryAcquire();
    }

    @State(Scope.Benchmark)
    public static class Plenty extends GuavaPeer {
        public Plenty() {
            super(RateLimiter.create(BenchmarkLimits.PLENTY));
        }
    }

    @State(Scope.Benchmark)
    public static class Drained extends GuavaPeer {
        public Drained() {
            super(RateLimiter.create(1.0 / BenchmarkLimits.DAY.toSeconds()));
            Expect.admitted(tryAcquire());
        }
    }
}
