package io.sluice;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A {@link RateLimiter} for one key: what limits one thing, such as calls to one partner. Keep it in a field; its {@link
 * #tryAcquire()} is the fastest path there is.
 *
 * <pre>{@code
 * private final Gate partner = limiter.forKey("partner");
 * }</pre>
 */
public interface Gate {
    /** The limiter behind this gate. */
    RateLimiter limiter();

    /** The key that it is for. */
    String key();

    /** As {@link RateLimiter#tryAcquire(String)}. */
    default boolean tryAcquire() {
        return tryAcquire(1);
    }

    /** As {@link RateLimiter#tryAcquire(String, long)}. */
    default boolean tryAcquire(long permits) {
        return limiter().tryAcquire(key(), permits);
    }

    /** As {@link RateLimiter#check(String)}. */
    default Decision check() {
        return check(1);
    }

    /** As {@link RateLimiter#check(String, long)}. */
    default Decision check(long permits) {
        return limiter().check(key(), permits);
    }

    /** As {@link RateLimiter#peek(String)}. */
    default Decision peek() {
        return limiter().peek(key());
    }

    /** As {@link RateLimiter#peek(String, long)}. */
    default Decision peek(long permits) {
        return limiter().peek(key(), permits);
    }

    /** As {@link RateLimiter#acquire(String)}. */
    default void acquire() throws InterruptedException {
        acquire(1);
    }

    /** As {@link RateLimiter#acquire(String, long)}. */
    default void acquire(long permits) throws InterruptedException {
        limiter().acquire(key(), permits);
    }

    /** As {@link RateLimiter#tryAcquire(String, long, Duration)}. */
    default boolean tryAcquire(long permits, Duration timeout) throws InterruptedException {
        return limiter().tryAcquire(key(), permits, timeout);
    }

    /** As {@link RateLimiter#tryAcquireAsync(String, long)}. */
    default CompletionStage<Boolean> tryAcquireAsync(long permits) {
        return limiter().tryAcquireAsync(key(), permits);
    }

    /** As {@link RateLimiter#checkAsync}. */
    default CompletionStage<Decision> checkAsync(long permits) {
        return limiter().checkAsync(key(), permits);
    }

    /** As {@link RateLimiter#peekAsync}. */
    default CompletionStage<Decision> peekAsync(long permits) {
        return limiter().peekAsync(key(), permits);
    }

    /** As {@link RateLimiter#reserveAsync(String, long)}. */
    default CompletionStage<Reservation> reserveAsync(long permits) {
        return limiter().reserveAsync(key(), permits);
    }

    /** As {@link RateLimiter#refundAsync}. */
    default CompletionStage<Void> refundAsync(long permits) {
        return limiter().refundAsync(key(), permits);
    }

    /** As {@link RateLimiter#penalizeAsync}. */
    default CompletionStage<Void> penalizeAsync(long permits) {
        return limiter().penalizeAsync(key(), permits);
    }

    /** As {@link RateLimiter#resetAsync}. */
    default CompletionStage<Void> resetAsync() {
        return limiter().resetAsync(key());
    }

    /** As {@link RateLimiter#acquireAsync}. */
    default CompletionStage<Void> acquireAsync(long permits) {
        return limiter().acquireAsync(key(), permits);
    }

    /** As {@link RateLimiter#tryAcquireAsync(String, long, Duration)}. */
    default CompletionStage<Boolean> tryAcquireAsync(long permits, Duration timeout) {
        return limiter().tryAcquireAsync(key(), permits, timeout);
    }

    /** As {@link RateLimiter#reserve(String, long)}. */
    default Reservation reserve(long permits) {
        return limiter().reserve(key(), permits);
    }

    /** As {@link RateLimiter#reserve(String, long, Duration)}. */
    default Reservation reserve(long permits, Duration atMost) {
        return limiter().reserve(key(), permits, atMost);
    }

    /** As {@link RateLimiter#refund}. */
    default void refund(long permits) {
        limiter().refund(key(), permits);
    }

    /** As {@link RateLimiter#penalize}. */
    default void penalize(long permits) {
        limiter().penalize(key(), permits);
    }

    /** As {@link RateLimiter#pause}. */
    default void pause(Duration duration) {
        limiter().pause(key(), duration);
    }

    /** As {@link RateLimiter#pauseAsync}. */
    default CompletionStage<Void> pauseAsync(Duration duration) {
        return limiter().pauseAsync(key(), duration);
    }

    /** As {@link RateLimiter#reset}. */
    default void reset() {
        limiter().reset(key());
    }
}
