package io.sluice.adapt;

import io.sluice.CalendarWindow;
import io.sluice.Concurrency;
import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TokenBucket;
import io.sluice.WarmUp;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A limit times a factor. The permits of a rate or window, the burst, the capacity and the permits of a concurrency become {@code
 * max(1, floor(factor * each))}. Times and slots stay. A limit that finds its own number, {@code unlimited} and {@code blocked} stay
 * as they are.
 *
 * @param limit the scaled limit
 * @param isExact false if a number had to be smaller, because the limit would have been refused
 */
public record ScaledLimit(Limit limit, boolean isExact) {
    private static final BigDecimal MAX_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

    /** A limit times a factor. Where the product would be refused, the largest limit of fewer permits that is not. */
    public static ScaledLimit of(Limit limit, BigDecimal factor) {
        if (factor.compareTo(BigDecimal.ONE) == 0) {
            return new ScaledLimit(limit, true);
        }
        if (limit instanceof Lockout lockout) {
            ScaledLimit inner = of(lockout.limit(), factor);
            return new ScaledLimit(new Lockout(inner.limit, lockout.duration(), lockout.escalate()), inner.isExact);
        }
        if (limit instanceof TokenBucket bucket) {
            return bucket(
                    times(bucket.permits(), factor),
                    times(bucket.burst(), factor),
                    (permits, burst) -> new TokenBucket(permits, bucket.period(), burst, bucket.refill()));
        }
        if (limit instanceof LeakyBucket bucket) {
            return bucket(
                    times(bucket.permits(), factor),
                    times(bucket.capacity(), factor),
                    (permits, capacity) -> new LeakyBucket(permits, bucket.period(), capacity));
        }
        if (limit instanceof FixedWindow window) {
            return largest(
                    times(window.permits(), factor),
                    permits -> new FixedWindow(permits, window.window(), window.fromFirst()));
        }
        if (limit instanceof CalendarWindow window) {
            return largest(
                    times(window.permits(), factor),
                    permits -> new CalendarWindow(permits, window.calendar(), window.zone()));
        }
        if (limit instanceof SlidingLog log) {
            return largest(times(log.permits(), factor), permits -> new SlidingLog(permits, log.window()));
        }
        if (limit instanceof SlidingCounter counter) {
            return largest(
                    times(counter.permits(), factor),
                    permits -> new SlidingCounter(permits, counter.window(), counter.slots()));
        }
        if (limit instanceof Concurrency concurrency) {
            return largest(
                    times(concurrency.permits(), factor), permits -> new Concurrency(permits, concurrency.hold()));
        }
        if (limit instanceof WarmUp warmUp) {
            return warmUp(warmUp, times(warmUp.permits(), factor));
        }
        return new ScaledLimit(limit, true);
    }

    private static long times(long number, BigDecimal factor) {
        BigDecimal product = BigDecimal.valueOf(number).multiply(factor).setScale(0, RoundingMode.FLOOR);
        return product.min(MAX_LONG).max(BigDecimal.ONE).longValueExact();
    }

    private interface BucketOf {
        Limit of(long permits, long capacity);
    }

    /** The limit of a rate and a capacity. Where that is refused, the rate becomes smaller, and then the capacity. */
    private static ScaledLimit bucket(long permits, long capacity, BucketOf make) {
        long rate = largestNumber(permits, number -> make.of(number, 1));
        long most = largestNumber(capacity, number -> make.of(rate, number));
        return new ScaledLimit(make.of(rate, most), rate == permits && most == capacity);
    }

    /** The limit of a number of permits, or of the largest smaller number that makes a limit. */
    private static ScaledLimit largest(long permits, LongFunction<Limit> limit) {
        long number = largestNumber(permits, limit);
        return new ScaledLimit(limit.apply(number), number == permits);
    }

    private static long largestNumber(long permits, LongFunction<Limit> limit) {
        if (orNull(permits, limit) != null) {
            return permits;
        }
        long works = 1;
        long refused = permits;
        while (refused - works > 1) {
            long middle = works + (refused - works) / 2;
            if (orNull(middle, limit) != null) {
                works = middle;
            } else {
                refused = middle;
            }
        }
        return works;
    }

    /** What is exact depends on the digits of a warm-up's rate, so fewer digits are tried. */
    private static ScaledLimit warmUp(WarmUp limit, long permits) {
        LongFunction<Limit> make = number -> new WarmUp(number, limit.period(), limit.over());
        for (long to = 1; to <= permits && to > 0; to *= 10) {
            Limit found = orNull(permits - permits % to, make);
            if (found != null) {
                return new ScaledLimit(found, to == 1);
            }
        }
        return new ScaledLimit(limit, false);
    }

    private static @Nullable Limit orNull(long permits, LongFunction<Limit> limit) {
        try {
            return limit.apply(permits);
        } catch (IllegalArgumentException refused) {
            return null;
        }
    }
}
