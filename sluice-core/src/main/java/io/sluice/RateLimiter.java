package io.sluice;

import io.sluice.exact.Exact;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Enforces one or several {@linkplain Limit limits} for each key, on the state of a {@link Store}. Thread-safe.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.of(Limit.parse("600/min burst 100"));
 * if (!limiter.tryAcquire(userId)) {
 *     throw new TooManyRequests();
 * }
 * }</pre>
 *
 * <p>Keys are any texts, equal by content. Permits are at least 0; 0 only looks. A negative number throws {@link
 * IllegalArgumentException}.
 *
 * <p>Waiting is fair (first come, first served per key), interruptible, does not poll and is no denial: it starts no
 * lockout. It answers at once when the timeout cannot be met.
 */
public interface RateLimiter extends Chargeable, AutoCloseable {

    /** A limiter for this process, with a memory store of its own. Several limits are decided together for each key. */
    static RateLimiter of(Limit limit, Limit... more) {
        return MemoryStore.create().limiter("limiter", limit, more);
    }

    /** The name under which its store keeps the state. */
    @Override
    String name();

    /** The limits in force. */
    List<Limit> limits();

    /** A handle for one key, whose {@link Gate#tryAcquire()} is the fastest path. */
    Gate forKey(String key);

    /** Whether one permit was given. Never waits. */
    default boolean tryAcquire(String key) {
        return tryAcquire(key, 1);
    }

    /**
     * Whether the permits were given. Never waits: a {@link LeakyBucket} gives permits only if they need no delay, and
     * otherwise takes nothing.
     */
    boolean tryAcquire(String key, long permits);

    /** Takes one permit if it is there, and says all about it. Never waits. */
    default Decision check(String key) {
        return check(key, 1);
    }

    /** Takes permits if they are there, and says all about it. Never waits. */
    Decision check(String key, long permits);

    /** How the key stands; charges nothing. */
    default Decision peek(String key) {
        return peek(key, 0);
    }

    /** What {@link #check} would answer; charges nothing and starts no lockout. */
    Decision peek(String key, long permits);

    /** Waits until a permit is given. */
    default void acquire(String key) throws InterruptedException {
        acquire(key, 1);
    }

    /**
     * Waits until the permits are given.
     *
     * @throws IllegalArgumentException at once, if so many can never be had
     * @throws InterruptedException if interrupted; the permits are given back
     * @throws IllegalStateException if the limiter is closed, before or while waiting
     */
    void acquire(String key, long permits) throws InterruptedException;

    /**
     * Waits until the permits are given, at most so long.
     *
     * @return whether they were given; false at once when they cannot be had in time
     * @throws InterruptedException if interrupted; the permits are given back
     * @throws IllegalStateException if the limiter is closed, before or while waiting
     */
    boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException;

    /** Takes permits ahead of their time, however long that is. Never waits and starts no lockout. */
    default Reservation reserve(String key, long permits) {
        return reserve(key, permits, Exact.duration(Exact.MAX_MICROS));
    }

    /** Takes permits ahead of their time, if the delay is at most so long. Never waits and starts no lockout. */
    Reservation reserve(String key, long permits, Duration atMost);

    /** Gives permits back: undoes the newest use first, never beyond fresh. */
    void refund(String key, long permits);

    /** Takes permits by force: the key may end up in debt, and then waits until that is paid. */
    void penalize(String key, long permits);

    /**
     * Denies the key for so long, whatever its limits say; who waits for it goes on waiting until then. For a partner who
     * answers {@code Retry-After}. Never shortens an earlier pause; {@link #reset} ends it, and {@link #update} does not.
     *
     * <p>While a key is paused, {@link #reserve} promises nothing ahead.
     */
    void pause(String key, Duration duration);

    /** Forgets the key, a lockout and a pause included. */
    void reset(String key);

    /**
     * The new limits hold at once, for every key and every process. What was used stays used; after a cut, a key may be
     * in debt. Who is waiting already keeps the time that was promised.
     */
    void update(Limit limit, Limit... more);

    /** A charge on this limiter, for {@link Store#decide}. */
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
     * {@link #acquire(String, long)} without blocking. What the call would throw, the stage fails with; cancelling the
     * stage's future gives the permits back.
     */
    CompletionStage<Void> acquireAsync(String key, long permits);

    /** {@link #tryAcquire(String, long, Duration)} without blocking; cancelling the stage's future gives the permits back. */
    CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout);

    /** {@link #reserve(String, long)} without blocking. */
    default CompletionStage<Reservation> reserveAsync(String key, long permits) {
        return reserveAsync(key, permits, Exact.duration(Exact.MAX_MICROS));
    }

    /** {@link #reserve(String, long, Duration)} without blocking. */
    CompletionStage<Reservation> reserveAsync(String key, long permits, Duration atMost);

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

    /** Fails all waiters; waiting is refused from then on. The state stays, for whoever asks the store for the name again. */
    @Override
    void close();
}
