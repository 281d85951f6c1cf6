package io.sluice.benchmarks;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Resilience4j's default, the AtomicRateLimiter. */
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
            super(limiter(Rates.PLENTY, Rates.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Drained extends Resilience4jPeer {
        public Drained() {
            super(limiter(1, Rates.DAY));
            Expect.admitted(tryAcquire());
        }
    }
}
