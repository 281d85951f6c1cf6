package io.sluice.benchmarks;

import dev.failsafe.RateLimiter;
import java.time.Duration;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Failsafe's bursty limiter, the kind that admits a burst. */
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
            super(limiter(Rates.PLENTY, Rates.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Drained extends FailsafePeer {
        public Drained() {
            super(limiter(1, Rates.DAY));
            Expect.admitted(tryAcquire());
        }
    }
}
