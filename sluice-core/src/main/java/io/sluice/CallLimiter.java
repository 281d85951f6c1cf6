package io.sluice;

import java.util.Objects;
import java.util.concurrent.CompletionStage;

/**
 * Limits keys by limits that come with the calls. Thread-safe. Made by {@link Store#callLimiter}.
 *
 * <p>No limit is registered anywhere: what is known of one is part of the state of the keys that were charged under it, and
 * goes with that. A key that comes with another limit than before keeps what it used, as if its limit had been
 * {@linkplain RateLimiter#update updated} at that moment; a request that is denied changes nothing. {@code unlimited} and
 * {@code blocked} do not touch what a key has used.
 *
 * <pre>{@code
 * CallLimiter calls = store.callLimiter("calls");
 * calls.check("alice", 1, Limit.parse("600/min")).allowed();
 * }</pre>
 */
public interface CallLimiter extends Chargeable {
    /**
     * Takes permits if they are there. Never waits for permits.
     *
     * @param permits how many; 0 only looks
     * @param limit the limit of this key, from now on
     */
    Decision check(String key, long permits, Limit limit);

    /** What {@link #check} would say; charges nothing. */
    Decision peek(String key, long permits, Limit limit);

    /** {@link #check} without blocking. */
    CompletionStage<Decision> checkAsync(String key, long permits, Limit limit);

    /** {@link #peek} without blocking. */
    CompletionStage<Decision> peekAsync(String key, long permits, Limit limit);

    /** Gives permits back, under the limit that the key was charged by: undoes the newest use first, never beyond fresh. */
    void refund(String key, long permits);

    /** {@link #refund} without blocking. */
    @Override
    CompletionStage<Void> refundAsync(String key, long permits);

    /** Forgets the key, a lockout included. */
    void reset(String key);

    /** {@link #reset} without blocking. */
    CompletionStage<Void> resetAsync(String key);

    /** A charge that carries its own limit, for {@link Store#decide}. */
    default Charge charge(String key, long permits, Limit limit) {
        return new PlainCharge(this, key, permits, Objects.requireNonNull(limit, "limit"));
    }
}
