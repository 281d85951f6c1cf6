package io.sluice.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Guava: a lock around doubles. */
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
            super(RateLimiter.create(Rates.PLENTY));
        }
    }

    @State(Scope.Benchmark)
    public static class Drained extends GuavaPeer {
        public Drained() {
            super(RateLimiter.create(1.0 / Rates.DAY.toSeconds()));
            Expect.admitted(tryAcquire());
        }
    }
}
