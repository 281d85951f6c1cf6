package io.sluice.policy.lint;

import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Refill;
import io.sluice.TokenBucket;
import java.math.BigInteger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/*
 * A request that costs more than the burst is never admitted, however long it waits, and of requests that arrive together
 * only a burst is. So a burst is suspicious when someone wrote it smaller than the rate's own number, and either it is 1,
 * or it is a handful that the rate refills within 10 ms: 1000/s burst 5 denies the sixth of six requests that a garbage
 * collector held back for a moment. 1/s is not, nor 1 per 10s: nothing smaller could be meant. A leaky bucket of 1 is not
 * either: it is how one says "evenly spaced, no queue".
 */
/** Looks for what is suspicious in a limit by itself. */
final class LimitLint {
    private static final long HANDFUL = 10;
    private static final Duration MOMENT = Duration.ofMillis(10);

    private LimitLint() {}

    /** What to warn of; null for nothing. */
    static @Nullable String warning(Limit limit) {
        if (limit instanceof Lockout lockout) {
            return warning(lockout.limit());
        } else if (limit instanceof TokenBucket bucket) {
            return warning(bucket);
        } else if (limit instanceof LeakyBucket bucket
                && isTiny(bucket.permits(), bucket.period(), bucket.capacity())) {
            return tiny("capacity", bucket.capacity());
        }
        return null;
    }

    private static @Nullable String warning(TokenBucket bucket) {
        if (bucket.burst() >= bucket.permits()) {
            return null;
        } else if (bucket.burst() == 1 || isTiny(bucket.permits(), bucket.period(), bucket.burst())) {
            return tiny("burst", bucket.burst());
        } else if (bucket.refill() == Refill.INTERVAL) {
            return "limit: burst " + bucket.burst() + " with refill interval: of the " + bucket.permits()
                    + " permits that come at once, only as many are ever there (expected: a burst of at least "
                    + bucket.permits() + ")";
        }
        return null;
    }

    private static String tiny(String option, long value) {
        return "limit: " + option + " " + value
                + " is small for the rate: a request that costs more is never admitted, and of"
                + " those that come together no more are (expected: the most that a request costs, or more)";
    }

    private static boolean isTiny(long permits, Duration period, long capacity) {
        return capacity < HANDFUL
                && capacity < permits
                && product(capacity, period.toMillis()).compareTo(product(permits, MOMENT.toMillis())) < 0;
    }

    private static BigInteger product(long a, long b) {
        return BigInteger.valueOf(a).multiply(BigInteger.valueOf(b));
    }
}
