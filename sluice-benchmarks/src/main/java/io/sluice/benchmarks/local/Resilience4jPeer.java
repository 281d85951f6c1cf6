package io.sluice.benchmarks.local;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.sluice.benchmarks.common.Expect;
import java.time.Duration;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Resilience4j's default rate limiter, the AtomicRateLimiter. */
public abstract class Resilience4jPeer {
    private final RateLimiter limiter;

    Resilience4jPeer(RateLimiter limiter) {
        this.limiter = limiter;
    }

    final boolean tryAcquire() {
        return limiter.acquirePermission();
    }

    private static RateLimiter limiter(int permits, Duration period) {
        RateLimiterConfig config = RateLimiterConfig.custom()
                .limitForPeriod(permits)
                .limitRefreshPeriod(period)
                .timeoutDuration(Duration.ZERO)
                .build();
        return RateLimiter.of("bench", config);
    }

    @State(Scope.Benchmark)
    public static class Plenty extends Resilience4jPeer {
        public Plenty() {
            super(limiter(BenchmarkLimits.PLENTY, BenchmarkLimits.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Drained extends Resilience4jPeer {
        public Drained() {
            super(limiter(1, BenchmarkLimits.DAY));
            Expect.admitted(tryAcquire());
        }
    }
}
