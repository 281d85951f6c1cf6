package io.sluice.benchmarks.local;

import dev.failsafe.RateLimiter;
import io.sluice.benchmarks.common.Expect;
import java.time.Duration;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Failsafe's bursty rate limiter. */
public abstract class FailsafePeer {
    private final RateLimiter<Object> limiter;

    FailsafePeer(RateLimiter<Object> limiter) {
        this.limiter = limiter;
    }

    final boolean tryAcquire() {
        return limiter.tryAcquirePermit();
    }

    private static RateLimiter<Object> limiter(int permits, Duration period) {
        return RateLimiter.burstyBuilder(permits, period).build();
    }

    @State(Scope.Benchmark)
    public static class Plenty extends FailsafePeer {
        public Plenty() {
            super(limiter(BenchmarkLimits.PLENTY, BenchmarkLimits.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Drained extends FailsafePeer {
        public Drained() {
            super(limiter(1, BenchmarkLimits.DAY));
            Expect.admitted(tryAcquire());
        }
    }
}
