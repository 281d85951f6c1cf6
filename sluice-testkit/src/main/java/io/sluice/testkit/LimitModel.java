package io.sluice.testkit;

import io.sluice.Blocked;
import io.sluice.Concurrency;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.Unlimited;
import io.sluice.testkit.usage.Usage;

/** The model of one limit: the state of all keys under it. Callers may pass times that go back. */
interface LimitModel {
    static LimitModel of(Limit limit) {
        if (limit instanceof Unlimited) {
            return new ConstantLimitModel(limit, new Decision(true, Long.MAX_VALUE, 0, 0, 0));
        }
        if (limit instanceof Blocked) {
            return new ConstantLimitModel(limit, new Decision(false, 0, Decision.NEVER, 0, 0));
        }
        if (limit instanceof Lockout lockout) {
            return new CountingLimitModel(limit, lockout.limit(), Usage.micros(lockout.duration()), lockout.escalate());
        }
        if (limit instanceof Concurrency) {
            return new HoldLimitModel(limit);
        }
        return new CountingLimitModel(limit, limit, 0, 0);
    }

    /** Whether a request holds permits of this limit, until it leaves. */
    default boolean holds() {
        return false;
    }

    /** Whether what a request has entered is still held. */
    default boolean isHeld(ModelReservation permit, long micros) {
        return false;
    }

    /** Holds it from now on for the full time. Returns false, and does nothing, if it is not held. */
    default boolean renew(ModelReservation permit, long micros) {
        return false;
    }

    /** Gives it back. Returns false, and does nothing, if it is not held. */
    default boolean leave(ModelReservation permit, long micros) {
        return false;
    }

    /** The limit, with its lockout. */
    Limit limit();

    /** The verdict of this limit on a request, without any change. */
    Verdict judge(String key, long permits, long micros);

    void take(String key, long permits, long micros);

    /** Starts a lockout, if this limit has one, because it denied a request. */
    void deny(String key, long permits, long micros);

    /** The decision with this verdict, which describes the state after the request. */
    Decision report(String key, long permits, Verdict verdict, long micros);

    void refund(String key, long permits, long micros);

    void penalize(String key, long permits, long micros);

    /** Pauses a key for at least {@code duration}; a longer pause stays as it is. */
    void pause(String key, long duration, long micros);

    /** The time that is left of a pause. */
    long pauseLeft(String key, long micros);

    void reset(String key);

    /** The time until permits that are reserved now may be used, or {@link Decision#NEVER}. */
    long untilUsable(String key, long permits, long micros);

    /** Whether this limit can go into debt for that many permits. */
    boolean allowsDebt(String key, long permits, long micros);

    /** Takes the permits of a reservation. */
    void take(ModelReservation reservation, long micros);

    void cancel(ModelReservation reservation, long micros);

    /** Replaces the permits of a reservation by those that were really used. */
    void settle(ModelReservation reservation, long actual, long micros);

    /** A model with the same states and without receipts. */
    LimitModel copy();

    /** Whether all keys are in the same state; reservations are ignored. */
    boolean isLike(LimitModel other);

    /** The model that replaces this one under a new limit. */
    LimitModel update(Limit next, long micros);
}
