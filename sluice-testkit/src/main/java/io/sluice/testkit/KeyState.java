package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.LeakyBucket;
import io.sluice.testkit.usage.BinarySearch;
import io.sluice.testkit.usage.Usage;

/**
 * The state of one key under one limit, and the fields of a decision that follow from it. Every question names a time that
 * is {@link #time not before} the latest change. The model does not compute {@code retryAfter} and {@code resetAfter} by a
 * formula. It searches for the shortest time after which the promise holds.
 *
 * @param last the time of the latest change
 * @param lockedUntil the end of the latest lockout
 * @param escalation how many times the next lockout is doubled; forgotten a day after the end of the latest
 * @param pausedUntil the end of the latest pause
 */
record KeyState(Usage use, long last, long lockedUntil, int escalation, long pausedUntil) {
    private static final long DAY = 86_400_000_000L;

    static KeyState fresh(Usage none) {
        return new KeyState(none, Long.MIN_VALUE, Long.MIN_VALUE, 0, Long.MIN_VALUE);
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
        return use.isUnused(micros) && !locked(micros) && escalationAt(micros) == 0;
    }

    /** How many times a lockout that begins now is doubled. */
    int escalationAt(long micros) {
        return escalation > 0 && micros < lockedUntil + DAY ? escalation : 0;
    }

    /** This state with another use at that time. */
    KeyState with(Usage newUse, long time) {
        return new KeyState(newUse, time, lockedUntil, escalation, pausedUntil);
    }

    /** This state with a lockout that ends at that time. */
    KeyState locked(long until, int nextEscalation, long time) {
        return new KeyState(use, time, until, nextEscalation, pausedUntil);
    }

    boolean allows(long permits, long micros) {
        return !locked(micros) && use.fits(permits, micros);
    }

    long remaining(long micros) {
        return locked(micros) ? 0 : use.room(micros);
    }

    long retryAfter(long permits, long micros) {
        if (permits > use.limit().capacity()) {
            return Decision.NEVER;
        }
        long untilItFits = BinarySearch.least(use.span(), wait -> use.fits(permits, micros + wait));
        return Math.max(untilItFits, lockLeft(micros));
    }

    long resetAfter(long micros) {
        long remembered = escalationAt(micros) > 0 ? lockedUntil + DAY - micros : 0;
        return Math.max(remembered, Math.max(untilUnused(micros), lockLeft(micros)));
    }

    /** The time that an allowed request has to wait. */
    long delay(long micros) {
        return use.limit() instanceof LeakyBucket ? untilUnused(micros) : 0;
    }

    /** The time until permits that are taken now may be used. */
    long untilUsable(long permits, long micros) {
        return use.limit() instanceof LeakyBucket && permits <= use.limit().capacity()
                ? Math.max(untilUnused(micros), lockLeft(micros))
                : retryAfter(permits, micros);
    }

    private long untilUnused(long micros) {
        Usage found = use.arrive(micros);
        return BinarySearch.least(use.span(), wait -> found.isUnused(micros + wait));
    }

    private long lockLeft(long micros) {
        return locked(micros) ? Math.max(lockedUntil, pausedUntil) - micros : 0;
    }
}
