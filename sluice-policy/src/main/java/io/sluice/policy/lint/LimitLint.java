package io.sluice.policy.lint;

import io.sluice.Concurrency;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import io.sluice.WarmUp;
import io.sluice.exact.DurationText;
import java.math.BigInteger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/*
 * A request for more permits than the burst is never allowed, however long it waits. Of requests that arrive together,
 * only as many are allowed as the burst has permits. So a burst is suspicious if it is smaller than the number of the
 * rate, and either it is 1, or it is below 10 and the rate refills it within 10 ms: 1000/s burst 5 denies the sixth of
 * six requests that a garbage collection held back for a moment. 1/s is not suspicious, nor is 1 per 10s: no smaller
 * number is possible. A leaky bucket of capacity 1 is not suspicious either: it means "evenly spaced, no queue". A limit that
 * warms up has no burst, but its largest request is that of the warm-up: as many permits as come in that time when warm.
 */
/** Warns of suspicious limits. */
final class LimitLint {
    private static final long SMALL = 10;
    private static final Duration SHORT_REFILL = Duration.ofMillis(10);
    private static final Duration SHORT_HOLD = Duration.ofSeconds(1);

    private LimitLint() {}

    /** The warning; null if the limit is not suspicious. */
    static @Nullable String warning(Limit limit) {
        if (limit instanceof Lockout lockout) {
            return warning(lockout.limit());
        } else if (limit instanceof TokenBucket bucket) {
            return warning(bucket);
        } else if (limit instanceof LeakyBucket bucket
                && isTiny(bucket.permits(), bucket.period(), bucket.capacity())) {
            return tiny("capacity", bucket.capacity());
        } else if (limit instanceof Concurrency concurrency
                && concurrency.hold().compareTo(SHORT_HOLD) < 0) {
            return "limit: hold " + DurationText.of(concurrency.hold())
                    + " is short: each permit is renewed every third of it, and lapses in a pause of the process that is as long"
                    + " (expected: at least 1s)";
        } else if (limit instanceof WarmUp warmUp && warmUp.capacity() == 1 && warmUp.permits() > 1) {
            return "limit: over " + DurationText.of(warmUp.over())
                    + " is short for the rate: a request for more than 1 permit is never allowed (expected: a time in"
                    + " which the permits of the largest request come)";
        }
        return null;
    }

    private static @Nullable String warning(TokenBucket bucket) {
        if (bucket.burst() >= bucket.permits()) {
            return null;
        } else if (bucket.burst() == 1 || isTiny(bucket.permits(), bucket.period(), bucket.burst())) {
            return tiny("burst", bucket.burst());
        } else if (bucket.refill() == Refill.INTERVAL) {
            return "limit: burst " + bucket.burst() + " with refill interval: " + bucket.permits()
                    + " permits come at once, but the bucket holds only the burst (expected: a burst of at least "
                    + bucket.permits() + ")";
        }
        return null;
    }

    private static String tiny(String option, long value) {
        return "limit: " + option + " " + value
                + " is small for the rate: a request for more permits is never allowed, and of requests that"
                + " come together only as many are allowed (expected: at least the permits of the largest request)";
    }

    private static boolean isTiny(long permits, Duration period, long capacity) {
        return capacity < SMALL
                && capacity < permits
                && product(capacity, period.toMillis()).compareTo(product(permits, SHORT_REFILL.toMillis())) < 0;
    }

    private static BigInteger product(long a, long b) {
        return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
    }
}
