package io.sluice.testkit;

import io.sluice.Blocked;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Unlimited;

/** One limit and the state of all keys under it. Times are as the caller has them: they may go back. */
interface Ledger {
    static Ledger of(Limit limit) {
        if (limit instanceof Unlimited) {
            return new Answer(limit, new Decision(true, Long.MAX_VALUE, 0, 0, 0));
        }
        if (limit instanceof Blocked) {
            return new Answer(limit, new Decision(false, 0, Decision.NEVER, 0, 0));
        }
        if (limit instanceof Lockout lockout) {
            return new Counts(limit, lockout.limit(), Use.micros(lockout.duration()));
        }
        return new Counts(limit, limit, 0);
    }

    /** The limit as it was said. */
    Limit limit();

    Verdict judge(String key, long permits, long micros);

    void take(String key, long permits, long micros);

    /** Notes that this limit denied a request. */
    void deny(String key, long permits, long micros);

    /** The decision that gives this verdict and describes the state as it is now, after the request. */
    Decision report(String key, long permits, Verdict verdict, long micros);

    void refund(String key, long permits, long micros);

    void penalize(String key, long permits, long micros);

    /** Denies everything for so long, or longer if it is paused for longer already. */
    void pause(String key, long duration, long micros);

    /** How long a key is still paused. */
    long pauseRest(String key, long micros);

    void reset(String key);

    /** How long until permits that are reserved now may be used, or {@link Decision#NEVER}. */
    long untilDue(String key, long permits, long micros);

    /** Whether so many may be taken ahead of their time. */
    boolean lends(String key, long permits, long micros);

    /** Takes what is held. */
    void take(Hold hold, long micros);

    void cancel(Hold hold, long micros);

    /** A ledger with the same states, and no receipts. */
    Ledger copy();

    /** Whether all keys are in the same state, as if none were reserved. */
    boolean isLike(Ledger other);

    /** The ledger that takes the place of this one. */
    Ledger update(Limit next, long micros);
}
