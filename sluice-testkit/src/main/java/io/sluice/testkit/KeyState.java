package io.sluice.testkit;

import io.sluice.Decision;
import io.sluice.LeakyBucket;
import java.math.BigInteger;

/**
 * One key's state under one limit, and what a decision says about it. Every question names a time that is {@link
 * #time not before} the latest change. The times in the answers are not computed: they are searched for, as the
 * least after which what they promise is so.
 *
 * @param last when it was changed last
 * @param lockedUntil when its lock ends or ended
 * @param pausedUntil when its pause ends or ended
 */
record KeyState(Use use, long last, long lockedUntil, long pausedUntil) {
    static KeyState fresh(Use none) {
        return new KeyState(none, Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);
    }

    /** Time does not go back within a key. */
    long time(long micros) {
        return Math.max(micros, last);
    }

    /** Whether everything is denied, by a lockout or a pause. */
    boolean locked(long micros) {
        return micros < Math.max(lockedUntil, pausedUntil);
    }

    long restOfPause(long micros) {
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
        long untilItFits = Search.least(use.span(), wait -> fits(permits, micros + wait));
        return Math.max(untilItFits, restOfLock(micros));
    }

    long resetAfter(long micros) {
        return Math.max(untilUnused(micros), restOfLock(micros));
    }

    /** How long an admitted request has to wait before it goes. */
    long delay(long micros) {
        return use.limit() instanceof LeakyBucket ? untilUnused(micros) : 0;
    }

    /** How long until permits that are taken now may be used. */
    long untilDue(long permits, long micros) {
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
        return Search.least(use.span(), wait -> use.at(micros + wait).signum() == 0);
    }

    private long restOfLock(long micros) {
        return locked(micros) ? Math.max(lockedUntil, pausedUntil) - micros : 0;
    }
}
