package io.sluice;

import io.sluice.exact.Exact;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

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
 * <p>The methods fall into five groups:
 *
 * <ul>
 *   <li>{@code tryAcquire} and {@code check} decide at once. {@code check} returns all details, {@code peek} takes nothing.
 *       {@code acquireUpTo} takes what is free. {@code call} runs a task if a permit is free.
 *   <li>{@code acquire}, and {@code tryAcquire} with a timeout, wait for permits.
 *   <li>{@code enter} and {@code tryEnter} hold a permit until it is closed, for limits of {@linkplain Concurrency concurrency}.
 *       {@code call} does so by itself.
 *   <li>{@code reserve} takes permits ahead of time, for a caller that schedules its work.
 *   <li>{@code refund}, {@code penalize}, {@code pause}, {@code reset} and {@code update} change the state.
 * </ul>
 *
 * <p>Waiting is fair: first come, first served for each key. It is interruptible and does not poll. It returns at once if the
 * timeout is certainly too short. A wait is not a denial, so it starts no lockout.
 *
 * <p>Each method that decides or changes state, {@code call} aside, has an asynchronous form, which does not block. Its stage
 * fails with the exception that the method would throw.
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

    /**
     * Whether one of the limits is of {@linkplain Concurrency concurrency}. Then permits are taken by {@link #enter} and its
     * siblings only. All methods that use permits up throw {@link IllegalStateException}; a look with 0 permits and {@link #peek}
     * do not. {@link #refund} changes nothing in such a limit.
     */
    default boolean limitsConcurrency() {
        for (Limit limit : limits()) {
            if (limit.algorithm().holds()) {
                return true;
            }
        }
        return false;
    }

    /** A gate: this limiter for one fixed key. It is faster than a call with a key. */
    Gate forKey(String key);

    /**
     * This limiter with a listener. Its keys, limits and waiters are the same. Calls of the returned limiter, of its gates and
     * of its charges are reported. Calls of this limiter are not.
     *
     * <pre>{@code
     * RateLimiter limiter = RateLimiter.of(Limit.parse("600/min")).withListener(listener);
     * }</pre>
     *
     * <p>A limiter that already has a listener reports to both.
     */
    RateLimiter withListener(LimiterListener listener);

    /**
     * The executor that completes asynchronous waits, so that their callbacks run there. It is a setting of the store. The
     * default is the common pool.
     */
    default Executor executor() {
        return ForkJoinPool.commonPool();
    }

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

    /**
     * Takes as many permits as are free, but at most so many. Never waits.
     *
     * <pre>{@code
     * long n = limiter.acquireUpTo("mail", queue.size());
     * send(queue.first(n));
     * }</pre>
     *
     * <p>It takes the most that {@link #tryAcquire(String, long)} would give at this moment, in one step. With several limits,
     * that is what all of them have. A {@link LeakyBucket} gives permits here only if they need no delay. If not even one
     * permit is free, that is a denial of one permit, and may start a lockout.
     *
     * @param permits the most permits to take
     * @return how many permits were taken, from 0 to {@code permits}
     */
    long acquireUpTo(String key, long permits);

    /**
     * Runs a task if one permit is free. Never waits. See {@link #call(String, long, Callable)}.
     *
     * <pre>{@code
     * Invoice invoice = limiter.call(customer, () -> billing.invoice(customer));
     * }</pre>
     */
    default <T extends @Nullable Object> T call(String key, Callable<T> task) throws Exception {
        return call(key, 1, task);
    }

    /**
     * Takes permits and runs a task, if the permits are free. Never waits. A {@link LeakyBucket} gives permits here only if
     * they need no delay. The permits stay used if the task throws an exception. One permit of a limit of {@linkplain Concurrency
     * concurrency} is held while the task runs.
     *
     * @return the result of the task
     * @throws RateLimitedException if the permits are not free. The task was not run.
     * @throws Exception what the task throws
     */
    <T extends @Nullable Object> T call(String key, long permits, Callable<T> task) throws Exception;

    /** Runs a task as soon as one permit is free. See {@link #call(String, long, Duration, Callable)}. */
    default <T extends @Nullable Object> T call(String key, Duration timeout, Callable<T> task) throws Exception {
        return call(key, 1, timeout, task);
    }

    /**
     * Waits until permits are free, takes them, and runs a task. Gives up after a timeout. The permits stay used if the task
     * throws an exception.
     *
     * @param timeout the maximum wait for the permits
     * @return the result of the task
     * @throws RateLimitedException if the permits are not free in time. The task was not run.
     * @throws InterruptedException if the thread is interrupted while it waits. The permits are given back.
     * @throws Exception what the task throws
     */
    default <T extends @Nullable Object> T call(String key, long permits, Duration timeout, Callable<T> task)
            throws Exception {
        if (permits == 1 && limitsConcurrency()) {
            Optional<Permit> entered = tryEnter(key, timeout);
            Permit permit = entered.orElseThrow(() -> new RateLimitedException(name(), key, 1, peek(key, 1)));
            try {
                return task.call();
            } finally {
                permit.close();
            }
        }
        if (!tryAcquire(key, permits, timeout)) {
            throw new RateLimitedException(name(), key, permits, peek(key, permits));
        }
        return task.call();
    }

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

    /** Waits until one permit is free, and takes it. Gives up after a timeout. */
    default boolean tryAcquire(String key, Duration timeout) throws InterruptedException {
        return tryAcquire(key, 1, timeout);
    }

    /**
     * Waits until permits are free, and takes them. Gives up after a timeout.
     *
     * @param timeout the maximum wait
     * @return whether the permits were taken. False at once if the timeout is certainly too short.
     * @throws InterruptedException if the thread is interrupted. The permits are given back.
     * @throws IllegalStateException if the limiter is closed, before or during the wait
     */
    boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException;

    /**
     * Waits until one permit is free, and holds it until it is closed. First come, first served for each key.
     *
     * <pre>{@code
     * try (Permit permit = limiter.enter("reports")) {
     *     createReport();
     * }
     * }</pre>
     *
     * <p>It takes one permit of every limit, all or none. Limits of {@linkplain Concurrency concurrency} get theirs back when the
     * permit is closed. The permits of rates stay used.
     *
     * @throws IllegalArgumentException at once, if the limits can never give a permit
     * @throws InterruptedException if the thread is interrupted. Nothing is held or taken.
     * @throws IllegalStateException if the limiter is closed, before or during the wait
     */
    Permit enter(String key) throws InterruptedException;

    /**
     * Holds one permit if it is free. Never waits. A {@link LeakyBucket} gives permits here only if they need no delay. See {@link
     * #enter}.
     *
     * @return the permit, or empty if it is not free
     */
    Optional<Permit> tryEnter(String key);

    /**
     * Waits until one permit is free, and holds it. Gives up after a timeout. See {@link #enter}.
     *
     * @param timeout the maximum wait
     * @return the permit, or empty after the timeout. Empty at once if the timeout is certainly too short.
     * @throws InterruptedException if the thread is interrupted. Nothing is held or taken.
     * @throws IllegalStateException if the limiter is closed, before or during the wait
     */
    Optional<Permit> tryEnter(String key, Duration timeout) throws InterruptedException;

    /** Takes one permit ahead of time, with any delay. Never waits, and starts no lockout. */
    default Reservation reserve(String key) {
        return reserve(key, 1);
    }

    /** Takes one permit ahead of time, if the delay is acceptable. Never waits, and starts no lockout. */
    default Reservation reserve(String key, Duration maxDelay) {
        return reserve(key, 1, maxDelay);
    }

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

    /** Gives one permit back. Undoes the newest use. */
    default void refund(String key) {
        refund(key, 1);
    }

    /** Gives permits back. Undoes the newest use first, and at most what is in use. */
    void refund(String key, long permits);

    /** Takes one permit even if it is not free. */
    default void penalize(String key) {
        penalize(key, 1);
    }

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

    /** A charge of one permit on this limiter. */
    default Charge charge(String key) {
        return charge(key, 1);
    }

    /** A charge on this limiter: a request that {@link Store#decide} decides together with others. */
    default Charge charge(String key, long permits) {
        return new PlainCharge(this, key, permits, null);
    }

    /** {@link #tryAcquire(String)} without blocking. */
    default CompletionStage<Boolean> tryAcquireAsync(String key) {
        return tryAcquireAsync(key, 1);
    }

    /** {@link #tryAcquire(String, long)} without blocking. */
    CompletionStage<Boolean> tryAcquireAsync(String key, long permits);

    /** {@link #acquireUpTo} without blocking. */
    CompletionStage<Long> acquireUpToAsync(String key, long permits);

    /** {@link #check(String)} without blocking. */
    default CompletionStage<Decision> checkAsync(String key) {
        return checkAsync(key, 1);
    }

    /** {@link #check(String, long)} without blocking. */
    CompletionStage<Decision> checkAsync(String key, long permits);

    /** {@link #peek(String)} without blocking. */
    default CompletionStage<Decision> peekAsync(String key) {
        return peekAsync(key, 0);
    }

    /** {@link #peek(String, long)} without blocking. */
    CompletionStage<Decision> peekAsync(String key, long permits);

    /** {@link #acquire(String)} without blocking. See {@link #acquireAsync(String, long)}. */
    default CompletionStage<Void> acquireAsync(String key) {
        return acquireAsync(key, 1);
    }

    /**
     * {@link #acquire(String, long)} without blocking. Cancelling the stage's future ends the wait and gives the permits back.
     * A stage that has to wait completes on the {@link #executor}.
     */
    CompletionStage<Void> acquireAsync(String key, long permits);

    /** {@link #tryAcquire(String, Duration)} without blocking. See {@link #tryAcquireAsync(String, long, Duration)}. */
    default CompletionStage<Boolean> tryAcquireAsync(String key, Duration timeout) {
        return tryAcquireAsync(key, 1, timeout);
    }

    /**
     * {@link #tryAcquire(String, long, Duration)} without blocking. Cancelling the stage's future ends the wait and gives the
     * permits back. A stage that has to wait completes on the {@link #executor}.
     */
    CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout);

    /**
     * {@link #enter} without blocking. Cancelling the stage's future ends the wait and gives the permit back. A stage that has to
     * wait completes on the {@link #executor}.
     */
    CompletionStage<Permit> enterAsync(String key);

    /** {@link #tryEnter(String)} without blocking. Cancelling the stage's future gives the permit back. */
    CompletionStage<Optional<Permit>> tryEnterAsync(String key);

    /**
     * {@link #tryEnter(String, Duration)} without blocking. Cancelling the stage's future ends the wait and gives the permit back.
     * A stage that has to wait completes on the {@link #executor}.
     */
    CompletionStage<Optional<Permit>> tryEnterAsync(String key, Duration timeout);

    /** {@link #reserve(String)} without blocking. */
    default CompletionStage<Reservation> reserveAsync(String key) {
        return reserveAsync(key, 1);
    }

    /** {@link #reserve(String, Duration)} without blocking. */
    default CompletionStage<Reservation> reserveAsync(String key, Duration maxDelay) {
        return reserveAsync(key, 1, maxDelay);
    }

    /** {@link #reserve(String, long)} without blocking. */
    default CompletionStage<Reservation> reserveAsync(String key, long permits) {
        return reserveAsync(key, permits, Exact.duration(Exact.MAX_MICROS));
    }

    /** {@link #reserve(String, long, Duration)} without blocking. */
    CompletionStage<Reservation> reserveAsync(String key, long permits, Duration maxDelay);

    /** {@link #refund(String)} without blocking. */
    default CompletionStage<Void> refundAsync(String key) {
        return refundAsync(key, 1);
    }

    /** {@link #refund(String, long)} without blocking. */
    @Override
    CompletionStage<Void> refundAsync(String key, long permits);

    /** {@link #penalize(String)} without blocking. */
    default CompletionStage<Void> penalizeAsync(String key) {
        return penalizeAsync(key, 1);
    }

    /** {@link #penalize(String, long)} without blocking. */
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
