package io.sluice;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A {@link RateLimiter} for one fixed key. For example, it limits all calls to one partner. Keep it in a field: {@link
 * #tryAcquire()} is the fastest way to decide. Thread-safe.
 *
 * <pre>{@code
 * private final Gate partner = limiter.forKey("partner");
 *
 * if (partner.tryAcquire()) {
 *     call();
 * }
 * }</pre>
 */
public interface Gate {
    /** The limiter that decides. */
    RateLimiter limiter();

    /** The key of this gate. */
    String key();

    /** See {@link RateLimiter#tryAcquire(String)}. */
    default boolean tryAcquire() {
        return tryAcquire(1);
    }

    /** See {@link RateLimiter#tryAcquire(String, long)}. */
    default boolean tryAcquire(long permits) {
        return limiter().tryAcquire(key(), permits);
    }

    /** See {@link RateLimiter#check(String)}. */
    default Decision check() {
        return check(1);
    }

    /** See {@link RateLimiter#check(String, long)}. */
    default Decision check(long permits) {
        return limiter().check(key(), permits);
    }

    /** See {@link RateLimiter#peek(String)}. */
    default Decision peek() {
        return limiter().peek(key());
    }

    /** See {@link RateLimiter#peek(String, long)}. */
    default Decision peek(long permits) {
        return limiter().peek(key(), permits);
    }

    /** See {@link RateLimiter#acquire(String)}. */
    default void acquire() throws InterruptedException {
        acquire(1);
    }

    /** See {@link RateLimiter#acquire(String, long)}. */
    default void acquire(long permits) throws InterruptedException {
        limiter().acquire(key(), permits);
    }

    /** See {@link RateLimiter#tryAcquire(String, long, Duration)}. */
    default boolean tryAcquire(long permits, Duration timeout) throws InterruptedException {
        return limiter().tryAcquire(key(), permits, timeout);
    }

    /** See {@link RateLimiter#tryAcquireAsync(String, long)}. */
    default CompletionStage<Boolean> tryAcquireAsync(long permits) {
        return limiter().tryAcquireAsync(key(), permits);
    }

    /** See {@link RateLimiter#checkAsync}. */
    default CompletionStage<Decision> checkAsync(long permits) {
        return limiter().checkAsync(key(), permits);
    }

    /** See {@link RateLimiter#peekAsync}. */
    default CompletionStage<Decision> peekAsync(long permits) {
        return limiter().peekAsync(key(), permits);
    }

    /** See {@link RateLimiter#reserveAsync(String, long)}. */
    default CompletionStage<Reservation> reserveAsync(long permits) {
        return limiter().reserveAsync(key(), permits);
    }

    /** See {@link RateLimiter#refundAsync}. */
    default CompletionStage<Void> refundAsync(long permits) {
        return limiter().refundAsync(key(), permits);
    }

    /** See {@link RateLimiter#penalizeAsync}. */
    default CompletionStage<Void> penalizeAsync(long permits) {
        return limiter().penalizeAsync(key(), permits);
    }

    /** See {@link RateLimiter#resetAsync}. */
    default CompletionStage<Void> resetAsync() {
        return limiter().resetAsync(key());
    }

    /** See {@link RateLimiter#acquireAsync}. */
    default CompletionStage<Void> acquireAsync(long permits) {
        return limiter().acquireAsync(key(), permits);
    }

    /** See {@link RateLimiter#tryAcquireAsync(String, long, Duration)}. */
    default CompletionStage<Boolean> tryAcquireAsync(long permits, Duration timeout) {
        return limiter().tryAcquireAsync(key(), permits, timeout);
    }

    /** See {@link RateLimiter#reserve(String, long)}. */
    default Reservation reserve(long permits) {
        return limiter().reserve(key(), permits);
    }

    /** See {@link RateLimiter#reserve(String, long, Duration)}. */
    default Reservation reserve(long permits, Duration maxDelay) {
        return limiter().reserve(key(), permits, maxDelay);
    }

    /** See {@link RateLimiter#refund}. */
    default void refund(long permits) {
        limiter().refund(key(), permits);
    }

    /** See {@link RateLimiter#penalize}. */
    default void penalize(long permits) {
        limiter().penalize(key(), permits);
    }

    /** See {@link RateLimiter#pause}. */
    default void pause(Duration duration) {
        limiter().pause(key(), duration);
    }

    /** See {@link RateLimiter#pauseAsync}. */
    default CompletionStage<Void> pauseAsync(Duration duration) {
        return limiter().pauseAsync(key(), duration);
    }

    /** See {@link RateLimiter#reset}. */
    default void reset() {
        limiter().reset(key());
    }
}
