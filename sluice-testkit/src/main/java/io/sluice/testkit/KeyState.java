package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.LeakyBucket;
import io.sluice.testkit.usage.BinarySearch;
import io.sluice.testkit.usage.Fraction;
import io.sluice.testkit.usage.Usage;
import java.math.BigInteger;

/**
 * The state of one key under one limit, and the fields of a decision that follow from it. Every question names a time that
 * is {@link #time not before} the latest change. The model does not compute {@code retryAfter} and {@code resetAfter} by a
 * formula. It searches for the shortest time after which the promise holds.
 *
 * @param last the time of the latest change
 * @param lockedUntil the end of the latest lockout
 * @param pausedUntil the end of the latest pause
 */
record KeyState(Usage use, long last, long lockedUntil, long pausedUntil) {
    static KeyState fresh(Usage none) {
        return new KeyState(none, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);
    }

    /** The time for this key: it never goes back. */
    long time(long micros) {
        return Math.max(micros, last);
    }

    /** Whether a lockout or a pause denies everything. */
    boolean locked(long micros) {
        return micros < Math.max(lockedUntil, pausedUntil);
    }

    long pauseLeft(long micros) {
        return micros < pausedUntil ? pausedUntil - micros : 0;
    }

    boolean empty(long micros) {
        return use.at(micros).signum() == 0 && !locked(micros);
    }

    boolean allows(long permits, long micros) {
        return !locked(micros) && fits(permits, micros);
    }

    long remaining(long micros) {
        return locked(micros) ? 0 : room(micros).floor().max(BigInteger.ZERO).longValueExact();
    }

    long retryAfter(long permits, long micros) {
        if (permits > use.limit().capacity()) {
            return Decision.NEVER;
        }
        long untilItFits = BinarySearch.least(use.span(), wait -> fits(permits, micros + wait));
        return Math.max(untilItFits, lockLeft(micros));
    }

    long resetAfter(long micros) {
        return Math.max(untilUnused(micros), lockLeft(micros));
    }

    /** The time that an allowed request has to wait. */
    long delay(long micros) {
        return use.limit() instanceof LeakyBucket ? untilUnused(micros) : 0;
    }

    /** The time until permits that are taken now may be used. */
    long untilUsable(long permits, long micros) {
        return use.limit() instanceof LeakyBucket && permits <= use.limit().capacity()
                ? resetAfter(micros)
                : retryAfter(permits, micros);
    }

    private boolean fits(long permits, long micros) {
        return Fraction.of(permits).compareTo(room(micros)) <= 0;
    }

    private Fraction room(long micros) {
        return Fraction.of(use.limit().capacity()).minus(use.at(micros));
    }

    private long untilUnused(long micros) {
        return BinarySearch.least(use.span(), wait -> use.at(micros + wait).signum() == 0);
    }

    private long lockLeft(long micros) {
        return locked(micros) ? Math.max(lockedUntil, pausedUntil) - micros : 0;
    }
}
