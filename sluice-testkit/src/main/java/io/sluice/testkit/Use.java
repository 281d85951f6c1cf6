package io.sluice.testkit;

import io.sluice.FixedWindow;
import io.sluice.LeakyBucket;
import io.sluice.Limit;
import io.sluice.Refill;
import io.sluice.SlidingCounter;
import io.sluice.SlidingLog;
import io.sluice.TokenBucket;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;

/**
 * What one key has used of one limit, and how that falls by itself as time goes by. Immutable. It may be asked about
 * any time that is not before its latest change; times are microseconds.
 */
interface Use {
    /** The most that the windows hold, by force. */
    BigInteger MOST_IN_WINDOW = BigInteger.ONE.shiftLeft(50);

    /** The longest that a bucket takes to come back from what was taken by force. */
    BigInteger LONGEST = BigInteger.ONE.shiftLeft(52);

    /** The most that a bucket has lent, by force. */
    BigInteger MOST_OWED = BigInteger.ONE.shiftLeft(52);

    /** Without a lockout. */
    Limit limit();

    /** What counts as used at that time: the capacity less the tokens, the level, the count or the estimate. */
    Fraction at(long micros);

    Use plus(long permits, long micros);

    /** Undoes the newest use first, never below nothing. */
    Use minus(Fraction permits, long micros);

    /** The most that may be used, debt included. */
    BigInteger most();

    /** What {@link #most()} bounds: whole permits that are remembered at that time. */
    default BigInteger held(long micros) {
        return at(micros).ceil();
    }

    /** Where a search for the time of a change should begin to look. */
    long span();

    /** Whether permits can be taken ahead of their time. */
    default boolean lends() {
        return false;
    }

    /** Whether less than one permit can be given back. */
    default boolean divisible() {
        return false;
    }

    /** What remembers a charge that was just made. Entries and slots know which of them it was: older use is no part of it. */
    default Use receipt(long permits, long charged) {
        return this;
    }

    /**
     * How much is not yet refilled, expired or slid away of a charge, where this is the use right after that charge.
     *
     * @param permits the size of the charge
     * @param charged when it was made
     * @param now the use that is in force, with all that came later
     */
    Fraction left(long permits, long charged, Use now, long micros);

    /** This use under another limit that counts in the same way, or nothing if that one counts in another way. */
    Optional<Use> keptUnder(Limit next, long micros);

    /** This use under any limit with a rate. */
    default Use carriedTo(Limit next, long micros) {
        if (at(micros).signum() == 0) {
            return none(next);
        }
        return keptUnder(next, micros).orElseGet(() -> {
            Use none = none(next);
            return none.plus(at(micros).ceil().min(none.most()).longValueExact(), micros);
        });
    }

    /** What a key that was never seen has used. */
    static Use none(Limit limit) {
        if (limit instanceof TokenBucket bucket) {
            return bucket.refill() == Refill.INTERVAL
                    ? IntervalUse.none(bucket)
                    : DrainingUse.none(bucket, bucket.permits(), bucket.period());
        }
        if (limit instanceof LeakyBucket bucket) {
            return DrainingUse.none(bucket, bucket.permits(), bucket.period());
        }
        if (limit instanceof FixedWindow window) {
            return WindowUse.none(window);
        }
        if (limit instanceof SlidingLog log) {
            return LogUse.none(log);
        }
        if (limit instanceof SlidingCounter counter) {
            return SlotUse.none(counter);
        }
        throw new IllegalArgumentException("limit: " + limit + " (expected: one with a rate and without lockout)");
    }

    /** The microseconds of a limit's duration, which is whole milliseconds. */
    static long micros(Duration duration) {
        return Math.multiplyExact(duration.toMillis(), 1000L);
    }
}
