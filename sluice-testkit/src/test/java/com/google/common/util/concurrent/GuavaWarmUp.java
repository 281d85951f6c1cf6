package com.google.common.util.concurrent;

import com.google.common.util.concurrent.RateLimiter.SleepingStopwatch;
import java.util.concurrent.TimeUnit;

/** Guava's own limiter with a warm-up, in a state that a test chooses. In Guava's package, because the state is hidden. */
public final class GuavaWarmUp {
    private static final double COLD_FACTOR = 3;

    private final SmoothRateLimiter limiter;

    public GuavaWarmUp(double permitsPerSecond, long warmUpMicros) {
        SleepingStopwatch atZero = new SleepingStopwatch() {
            @Override
            protected long readMicros() {
                return 0;
            }

            @Override
            protected void sleepMicrosUninterruptibly(long micros) {
                throw new UnsupportedOperationException("nothing here waits");
            }
        };
        limiter = (SmoothRateLimiter)
                RateLimiter.create(permitsPerSecond, warmUpMicros, TimeUnit.MICROSECONDS, COLD_FACTOR, atZero);
    }

    /** The permits that are stored when it is cold. */
    public double coldPermits() {
        return limiter.maxPermits;
    }

    /**
     * How many microseconds a request costs the next one, with so many permits stored, if it arrives when the limiter is free.
     */
    public long cost(double storedPermits, int permits) {
        // Later than the last request is paid. Then Guava makes it the time from which the limiter is free.
        long now = limiter.queryEarliestAvailable(0) + 1;
        limiter.resync(now);
        limiter.storedPermits = storedPermits;
        long free = limiter.reserveEarliestAvailable(permits, now);
        if (free != now) {
            throw new IllegalStateException("free at " + free + " (expected: " + now + ")");
        }
        return limiter.queryEarliestAvailable(now) - now;
    }
}
