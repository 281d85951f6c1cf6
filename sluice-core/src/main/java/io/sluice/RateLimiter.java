package io.sluice;

import io.sluice.exact.Exact;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Enforces one or several {@linkplain Limit limits} for each key. A {@link Store} keeps the state of the keys. Thread-safe.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.of(Limit.parse("600/min burst 100"));
 * if (!limiter.tryAcquire(userId)) {
 *     throw new TooManyRequests();
 * }
 * }</pre>
 *
 * <p>A key is any text, such as a user or an address. Each key has its own permits. A request asks for a number of permits. 0
 * permits take nothing and only report. A negative number throws {@link IllegalArgumentException}.
 *
 * <p>The methods fall into four groups:
 *
 * <ul>
 *   <li>{@code tryAcquire} and {@code check} decide at once. {@code check} returns all details, {@code peek} takes nothing.
 *   <li>{@code acquire}, and {@code tryAcquire} with a timeout, wait for permits.
 *   <li>{@code reserve} takes permits ahead of time, for a caller that schedules its work.
 *   <li>{@code refund}, {@code penalize}, {@code pause}, {@code reset} and {@code update} change the state.
 * </ul>
 *
 * <p>Waiting is fair: first come, first served for each key. It is interruptible and does not poll. It returns at once if the
 * timeout is certainly too short. A wait is not a denial, so it starts no lockout.
 *
 * <p>Each method that decides or changes state has an asynchronous form, which does not block. Its stage fails with the
 * exception that the method would throw.
 */
public interface RateLimiter extends Chargeable, AutoCloseable {

    /**
     * Creates a limiter for this process, with a memory store of its own.
     *
     * @param more further limits. A request must be allowed by all of them, and is charged to all or to none.
     */
    static RateLimiter of(Limit limit, Limit... more) {
        return MemoryStore.create().limiter("limiter", limit, more);
    }

    /** The name of this limiter in its store. */
    @Override
    String name();

    /** The limits in force. */
    List<Limit> limits();

    /** A gate: this limiter for one fixed key. It is faster than a call with a key. */
    Gate forKey(String key);

    /** Takes one permit if it is free. Never waits. */
    default boolean tryAcquire(String key) {
        return tryAcquire(key, 1);
    }

    /**
     * Takes permits if they are free. Never waits. A {@link LeakyBucket} gives permits here only if they need no delay.
     *
     * @return whether the permits were taken
     */
    boolean tryAcquire(String key, long permits);

    /** Takes one permit if it is free, and returns the details. Never waits. */
    default Decision check(String key) {
        return check(key, 1);
    }

    /**
     * Takes permits if they are free, and returns the details: what remains, when to try again, how long to delay. Never
     * waits.
     */
    Decision check(String key, long permits);

    /** Reports the state of a key. Takes nothing. */
    default Decision peek(String key) {
        return peek(key, 0);
    }

    /** Returns what {@link #check} would return. Takes nothing and starts no lockout. */
    Decision peek(String key, long permits);

    /** Waits until one permit is free, and takes it. */
    default void acquire(String key) throws InterruptedException {
        acquire(key, 1);
    }

    /**
     * Waits until permits are free, and takes them.
     *
     * @throws IllegalArgumentException at once, if the limits can never give so many permits
     * @throws InterruptedException if the thread is interrupted. The permits are given back.
     * @throws IllegalStateException if the limiter is closed, before or during the wait
     */
    void acquire(String key, long permits) throws InterruptedException;

    /**
     * Waits until permits are free, and takes them. Gives up after a timeout.
     *
     * @param timeout the maximum wait
     * @return whether the permits were taken. False at once if the timeout is certainly too short.
     * @throws InterruptedException if the thread is interrupted. The permits are given back.
     * @throws IllegalStateException if the limiter is closed, before or during the wait
     */
    boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException;

    /** Takes permits ahead of time, with any delay. Never waits, and starts no lockout. */
    default Reservation reserve(String key, long permits) {
        return reserve(key, permits, Exact.duration(Exact.MAX_MICROS));
    }

    /**
     * Takes permits ahead of time. The caller must wait for the {@linkplain Reservation#delay() delay} before it uses them.
     * Never waits itself, and starts no lockout.
     *
     * @param maxDelay the longest acceptable delay. If the delay would be longer, nothing is taken.
     */
    Reservation reserve(String key, long permits, Duration maxDelay);

    /** Gives permits back. Undoes the newest use first, and at most what is in use. */
    void refund(String key, long permits);

    /** Takes permits even if they are not free. The key may go into debt. It is then denied until the debt has drained. */
    void penalize(String key, long permits);

    /**
     * Denies a key for a duration, whatever its limits say. For example, because a partner has answered with {@code
     * Retry-After}. Waiters continue to wait until the pause ends. A pause never shortens an earlier one. {@link #reset} ends
     * it, {@link #update} does not.
     *
     * <p>While a key is paused, {@link #reserve} takes nothing ahead of time.
     */
    void pause(String key, Duration duration);

    /** Makes a key fresh: forgets its use, its lockout and its pause. */
    void reset(String key);

    /**
     * Replaces the limits, for every key and every process that shares the store. The use of each key stays. If the new limit
     * is lower, a key may be in debt. A caller that already waits for a reserved time keeps that time.
     */
    void update(Limit limit, Limit... more);

    /** A charge on this limiter: a request that {@link Store#decide} decides together with others. */
    default Charge charge(String key, long permits) {
        return new PlainCharge(this, key, permits, null);
    }

    /** {@link #tryAcquire(String, long)} without blocking. */
    CompletionStage<Boolean> tryAcquireAsync(String key, long permits);

    /** {@link #check(String, long)} without blocking. */
    CompletionStage<Decision> checkAsync(String key, long permits);

    /** {@link #peek(String, long)} without blocking. */
    CompletionStage<Decision> peekAsync(String key, long permits);

    /**
     * {@link #acquire(String, long)} without blocking. Cancelling the stage's future ends the wait and gives the permits back.
     */
    CompletionStage<Void> acquireAsync(String key, long permits);

    /**
     * {@link #tryAcquire(String, long, Duration)} without blocking. Cancelling the stage's future ends the wait and gives the
     * permits back.
     */
    CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout);

    /** {@link #reserve(String, long)} without blocking. */
    default CompletionStage<Reservation> reserveAsync(String key, long permits) {
        return reserveAsync(key, permits, Exact.duration(Exact.MAX_MICROS));
    }

    /** {@link #reserve(String, long, Duration)} without blocking. */
    CompletionStage<Reservation> reserveAsync(String key, long permits, Duration maxDelay);

    /** {@link #refund} without blocking. */
    @Override
    CompletionStage<Void> refundAsync(String key, long permits);

    /** {@link #penalize} without blocking. */
    CompletionStage<Void> penalizeAsync(String key, long permits);

    /** {@link #pause} without blocking. */
    CompletionStage<Void> pauseAsync(String key, Duration duration);

    /** {@link #reset} without blocking. */
    CompletionStage<Void> resetAsync(String key);

    /** {@link #update} without blocking. */
    CompletionStage<Void> updateAsync(Limit limit, Limit... more);

    /** Fails all waiters and refuses new ones. The state stays in the store, for a new limiter of the same name. */
    @Override
    void close();
}
