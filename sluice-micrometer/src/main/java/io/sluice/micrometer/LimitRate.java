package io.sluice.micrometer;

import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TokenBucket;
import io.sluice.Unlimited;
import io.sluice.WarmUp;
import java.time.Duration;

/** The numbers of a limit that dashboards draw. */
final class LimitRate {
    private LimitRate() {}

    /** The rate in the long run, in permits per second; 0 for {@code blocked}, infinite for {@code unlimited}, NaN for concurrency. */
    static double permitsPerSecond(Limit limit) {
        Limit inner = limit instanceof Lockout lockout ? lockout.limit() : limit;
        return switch (inner.algorithm()) {
            case TOKEN_BUCKET -> rate(((TokenBucket) inner).permits(), ((TokenBucket) inner).period());
            case LEAKY_BUCKET -> rate(((LeakyBucket) inner).permits(), ((LeakyBucket) inner).period());
            // A window of the calendar has no constant length. Its longest gives a rate that does not change.
            case FIXED_WINDOW -> rate(inner.capacity(), inner.refillTime());
            case SLIDING_LOG -> rate(((SlidingLog) inner).permits(), ((SlidingLog) inner).window());
            case SLIDING_COUNTER -> rate(((SlidingCounter) inner).permits(), ((SlidingCounter) inner).window());
            case WARM_UP -> rate(((WarmUp) inner).permits(), ((WarmUp) inner).period());
            // What is in flight at once has no rate.
            case CONCURRENCY, ADAPTIVE_CONCURRENCY -> Double.NaN;
            case UNLIMITED -> Double.POSITIVE_INFINITY;
            case BLOCKED -> 0;
        };
    }

    /** The most permits at once; infinite for {@code unlimited}. */
    static double burst(Limit limit) {
        return limit instanceof Unlimited ? Double.POSITIVE_INFINITY : limit.capacity();
    }

    private static double rate(long permits, Duration period) {
        return permits / (period.toMillis() / 1000.0);
    }
}
