package io.sluice;

import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * A limiter whose limits come with the calls. {@link Store#callLimiter} creates it. Thread-safe.
 *
 * <p>Limits are not registered: a limit is a part of the state of the keys that were charged under it, and is forgotten with
 * them. If a call carries another limit than the one before, the key keeps its use, as if its limit had been {@linkplain
 * RateLimiter#update updated} at that moment. A denied request changes nothing. {@code unlimited} and {@code blocked} do not
 * change the use of a key.
 *
 * <pre>{@code
 * CallLimiter calls = store.callLimiter("calls");
 * calls.check("alice", 1, Limit.parse("600/min")).allowed();
 * }</pre>
 */
public interface CallLimiter extends Chargeable {
    /** This call limiter with a listener, see {@link RateLimiter#withListener}. */
    CallLimiter withListener(LimiterListener listener);

    /** Takes one permit if it is free. See {@link #check(String, long, Limit)}. */
    default Decision check(String key, Limit limit) {
        return check(key, 1, limit);
    }

    /**
     * Takes permits if they are free. Never waits for permits.
     *
     * @param permits how many permits to take; 0 takes nothing and only reports
     * @param limit the limit of this key from now on
     */
    Decision check(String key, long permits, Limit limit);

    /** Returns what {@link #check(String, long, Limit)} would return. Takes nothing. */
    Decision peek(String key, long permits, Limit limit);

    /** {@link #check(String, Limit)} without blocking. */
    default CompletionStage<Decision> checkAsync(String key, Limit limit) {
        return checkAsync(key, 1, limit);
    }

    /** {@link #check(String, long, Limit)} without blocking. */
    CompletionStage<Decision> checkAsync(String key, long permits, Limit limit);

    /** {@link #peek} without blocking. */
    CompletionStage<Decision> peekAsync(String key, long permits, Limit limit);

    /** Gives permits back, under the latest limit of the key. Undoes the newest use first, and at most what is in use. */
    void refund(String key, long permits);

    /** {@link #refund} without blocking. */
    @Override
    CompletionStage<Void> refundAsync(String key, long permits);

    /** Makes a key fresh: forgets its use and its lockout. */
    void reset(String key);

    /** {@link #reset} without blocking. */
    CompletionStage<Void> resetAsync(String key);

    /** A charge that carries its own limit: a request that {@link Store#decide} decides together with others. */
    default Charge charge(String key, long permits, Limit limit) {
        return new PlainCharge(this, key, permits, Objects.requireNonNull(limit, "limit"));
    }
}
