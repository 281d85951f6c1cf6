package io.sluice.testkit.usage;

import io.sluice.CalendarWindow;
import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Refill;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TokenBucket;
import io.sluice.WarmUp;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;

/**
 * The permits that one key has used of one limit, and how that number falls with time. Immutable. Every question names a
 * time in microseconds, not before the latest change.
 */
public interface Usage {
    /** The maximum use of a window, after penalties. */
    BigInteger MOST_IN_WINDOW = BigInteger.ONE.shiftLeft(50);

    /** The maximum time in which a bucket pays off its debt. */
    BigInteger LONGEST = BigInteger.ONE.shiftLeft(52);

    /** The maximum debt of a bucket. */
    BigInteger MOST_OWED = BigInteger.ONE.shiftLeft(52);

    /** The limit without its lockout. */
    Limit limit();

    /** The permits in use at that time: the capacity less the tokens, the level, the count or the estimate. */
    Fraction at(long micros);

    Usage plus(long permits, long micros);

    /** Undoes the newest use first, never below 0. */
    Usage minus(Fraction permits, long micros);

    /** The maximum use, debt included. */
    BigInteger max();

    /** The whole permits that the state records at that time; {@link #max()} is their upper bound. */
    default BigInteger held(long micros) {
        return at(micros).ceil();
    }

    /** The usage that a request finds at that time. Nothing is stored unless the request is allowed. */
    default Usage arrive(long micros) {
        return this;
    }

    /** Whether the key is as if it had never been used, apart from lockouts and pauses. */
    default boolean isUnused(long micros) {
        return at(micros).signum() == 0;
    }

    /** Whether a request for so many permits fits. */
    default boolean fits(long permits, long micros) {
        return Fraction.of(permits).compareTo(Fraction.of(limit().capacity()).minus(at(micros))) <= 0;
    }

    /** The whole permits that are left. */
    default long room(long micros) {
        BigInteger room = Fraction.of(limit().capacity()).minus(at(micros)).floor();
        return room.max(BigInteger.ZERO).longValueExact();
    }

    /** The permits in use beyond the limit, rounded up. */
    default long debt(long micros) {
        BigInteger beyond = at(micros).minus(Fraction.of(limit().capacity())).ceil();
        return beyond.max(BigInteger.ZERO).longValueExact();
    }

    /** How many of the permits can be taken by force. */
    default long takable(long permits, long micros) {
        BigInteger free = max().subtract(held(micros));
        return BigInteger.valueOf(permits).min(free).max(BigInteger.ZERO).longValueExact();
    }

    /** The time in microseconds at which a search for a change begins. */
    long span();

    /** Whether permits can be taken ahead of time. */
    default boolean allowsDebt() {
        return false;
    }

    /** Whether a charge lasts until all older use has drained. */
    default boolean drainsWithOlderUse() {
        return allowsDebt();
    }

    /** Whether less than one permit can be given back. */
    default boolean divisible() {
        return false;
    }

    /**
     * The receipt of a charge that was just made. For logs and counters it holds the entry or slot of that charge only, without
     * older use.
     */
    default Usage receipt(long permits, long charged) {
        return this;
    }

    /**
     * The part of a charge that has not been refilled or expired, where this is the usage right after that charge.
     *
     * @param permits the permits of the charge
     * @param charged the time of the charge
     * @param now the current usage, with all later charges
     */
    Fraction left(long permits, long charged, Usage now, long micros);

    /**
     * This usage after that charge was cancelled.
     *
     * @param permits the permits of the charge
     * @param charged the time of the charge
     * @param after its {@link #receipt}
     */
    default Usage cancel(long permits, long charged, Usage after, long micros) {
        Fraction left = after.left(permits, charged, this, micros);
        Fraction back = divisible() ? left : Fraction.of(left.floor());
        return back.signum() > 0 ? minus(back, micros) : this;
    }

    /**
     * This usage after a part of that charge was undone: it goes back to where it came from.
     *
     * @param part how many permits
     * @param permits the permits of the charge
     * @param charged the time of the charge
     * @param after its {@link #receipt}
     */
    default Usage undo(long part, long permits, long charged, Usage after, long micros) {
        return cancel(part, charged, after, micros);
    }

    /** This usage, which was carried from another algorithm, as the receipt of so many permits. */
    default Usage asReceipt(long permits) {
        return this;
    }

    /** This fresh usage with permits that were used under another algorithm. */
    default Usage carry(long permits, long micros) {
        return plus(permits, micros);
    }

    /** This usage under another limit of the same kind; empty if the other limit is of another kind. */
    Optional<Usage> convertIfSameKind(Limit next, long micros);

    /** This usage under any limit with a rate. */
    default Usage convertTo(Limit next, long micros) {
        if (isUnused(micros)) {
            return fresh(next);
        }
        return convertIfSameKind(next, micros).orElseGet(() -> {
            Usage none = fresh(next);
            long used = at(micros).ceil().min(none.max()).longValueExact();
            return used == 0 ? none : none.carry(used, micros);
        });
    }

    /** The usage of a fresh key. */
    static Usage fresh(Limit limit) {
        if (limit instanceof TokenBucket bucket) {
            return bucket.refill() == Refill.INTERVAL
                    ? IntervalUsage.fresh(bucket)
                    : BucketUsage.fresh(bucket, bucket.permits(), bucket.period());
        }
        if (limit instanceof LeakyBucket bucket) {
            return BucketUsage.fresh(bucket, bucket.permits(), bucket.period());
        }
        if (limit instanceof FixedWindow window) {
            return WindowUsage.fresh(window);
        }
        if (limit instanceof CalendarWindow window) {
            return CalendarUsage.fresh(window);
        }
        if (limit instanceof WarmUp warmUp) {
            return WarmUpUsage.fresh(warmUp);
        }
        if (limit instanceof SlidingLog log) {
            return LogUsage.fresh(log);
        }
        if (limit instanceof SlidingCounter counter) {
            return CounterUsage.fresh(counter);
        }
        throw new IllegalArgumentException("limit: " + limit + " (expected: one with a rate and without lockout)");
    }

    /** The microseconds of a limit's duration, which is whole milliseconds. */
    static long micros(Duration duration) {
        return Math.multiplyExact(duration.toMillis(), 1000L);
    }
}
