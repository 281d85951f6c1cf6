package io.sluice;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RateLimiter} for one fixed key, or a limiter without keys. For example, it limits all calls to one partner. Keep it in
 * a field: {@link #tryAcquire()} is the fastest way to decide. Thread-safe.
 *
 * <pre>{@code
 * private final Gate partner = Gate.of(Limit.parse("10/s"));
 *
 * if (partner.tryAcquire()) {
 *     call();
 * }
 * }</pre>
 */
public interface Gate {
    /**
     * Creates a limiter without keys for this process, with a memory store of its own. Its key is the empty text. {@link
     * Store#gate} creates one on any store.
     *
     * @param more further limits. A request must be allowed by all of them, and is charged to all or to none.
     */
    static Gate of(Limit limit, Limit... more) {
        return RateLimiter.of(limit, more).forKey("");
    }

    /** The limiter that decides. */
    RateLimiter limiter();

    /** The key of this gate. */
    String key();

    /** This gate with a listener, see {@link RateLimiter#withListener}. */
    default Gate withListener(LimiterListener listener) {
        return limiter().withListener(listener).forKey(key());
    }

    /** See {@link RateLimiter#tryAcquire(String)}. */
    default boolean tryAcquire() {
        return tryAcquire(1);
    }

    /** See {@link RateLimiter#tryAcquire(String, long)}. */
    default boolean tryAcquire(long permits) {
        return limiter().tryAcquire(key(), permits);
    }

    /** See {@link RateLimiter#acquireUpTo}. */
    default long acquireUpTo(long permits) {
        return limiter().acquireUpTo(key(), permits);
    }

    /** See {@link RateLimiter#call(String, Callable)}. */
    default <T extends @Nullable Object> T call(Callable<T> task) throws Exception {
        return limiter().call(key(), task);
    }

    /** See {@link RateLimiter#call(String, long, Callable)}. */
    default <T extends @Nullable Object> T call(long permits, Callable<T> task) throws Exception {
        return limiter().call(key(), permits, task);
    }

    /** See {@link RateLimiter#call(String, Duration, Callable)}. */
    default <T extends @Nullable Object> T call(Duration timeout, Callable<T> task) throws Exception {
        return limiter().call(key(), timeout, task);
    }

    /** See {@link RateLimiter#call(String, long, Duration, Callable)}. */
    default <T extends @Nullable Object> T call(long permits, Duration timeout, Callable<T> task) throws Exception {
        return limiter().call(key(), permits, timeout, task);
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
        limiter().acquire(key());
    }

    /** See {@link RateLimiter#acquire(String, long)}. */
    default void acquire(long permits) throws InterruptedException {
        limiter().acquire(key(), permits);
    }

    /** See {@link RateLimiter#tryAcquire(String, Duration)}. */
    default boolean tryAcquire(Duration timeout) throws InterruptedException {
        return limiter().tryAcquire(key(), timeout);
    }

    /** See {@link RateLimiter#tryAcquire(String, long, Duration)}. */
    default boolean tryAcquire(long permits, Duration timeout) throws InterruptedException {
        return limiter().tryAcquire(key(), permits, timeout);
    }

    /** See {@link RateLimiter#enter}. */
    default Permit enter() throws InterruptedException {
        return limiter().enter(key());
    }

    /** See {@link RateLimiter#tryEnter(String)}. */
    default Optional<Permit> tryEnter() {
        return limiter().tryEnter(key());
    }

    /** See {@link RateLimiter#tryEnter(String, Duration)}. */
    default Optional<Permit> tryEnter(Duration timeout) throws InterruptedException {
        return limiter().tryEnter(key(), timeout);
    }

    /** See {@link RateLimiter#reserve(String)}. */
    default Reservation reserve() {
        return limiter().reserve(key());
    }

    /** See {@link RateLimiter#reserve(String, Duration)}. */
    default Reservation reserve(Duration maxDelay) {
        return limiter().reserve(key(), maxDelay);
    }

    /** See {@link RateLimiter#reserve(String, long)}. */
    default Reservation reserve(long permits) {
        return limiter().reserve(key(), permits);
    }

    /** See {@link RateLimiter#reserve(String, long, Duration)}. */
    default Reservation reserve(long permits, Duration maxDelay) {
        return limiter().reserve(key(), permits, maxDelay);
    }

    /** See {@link RateLimiter#refund(String)}. */
    default void refund() {
        limiter().refund(key());
    }

    /** See {@link RateLimiter#refund(String, long)}. */
    default void refund(long permits) {
        limiter().refund(key(), permits);
    }

    /** See {@link RateLimiter#penalize(String)}. */
    default void penalize() {
        limiter().penalize(key());
    }

    /** See {@link RateLimiter#penalize(String, long)}. */
    default void penalize(long permits) {
        limiter().penalize(key(), permits);
    }

    /** See {@link RateLimiter#pause}. */
    default void pause(Duration duration) {
        limiter().pause(key(), duration);
    }

    /** See {@link RateLimiter#reset}. */
    default void reset() {
        limiter().reset(key());
    }

    /** See {@link RateLimiter#charge(String)}. */
    default Charge charge() {
        return limiter().charge(key());
    }

    /** See {@link RateLimiter#charge(String, long)}. */
    default Charge charge(long permits) {
        return limiter().charge(key(), permits);
    }

    /** See {@link RateLimiter#tryAcquireAsync(String)}. */
    default CompletionStage<Boolean> tryAcquireAsync() {
        return limiter().tryAcquireAsync(key());
    }

    /** See {@link RateLimiter#tryAcquireAsync(String, long)}. */
    default CompletionStage<Boolean> tryAcquireAsync(long permits) {
        return limiter().tryAcquireAsync(key(), permits);
    }

    /** See {@link RateLimiter#acquireUpToAsync}. */
    default CompletionStage<Long> acquireUpToAsync(long permits) {
        return limiter().acquireUpToAsync(key(), permits);
    }

    /** See {@link RateLimiter#checkAsync(String)}. */
    default CompletionStage<Decision> checkAsync() {
        return limiter().checkAsync(key());
    }

    /** See {@link RateLimiter#checkAsync(String, long)}. */
    default CompletionStage<Decision> checkAsync(long permits) {
        return limiter().checkAsync(key(), permits);
    }

    /** See {@link RateLimiter#peekAsync(String)}. */
    default CompletionStage<Decision> peekAsync() {
        return limiter().peekAsync(key());
    }

    /** See {@link RateLimiter#peekAsync(String, long)}. */
    default CompletionStage<Decision> peekAsync(long permits) {
        return limiter().peekAsync(key(), permits);
    }

    /** See {@link RateLimiter#acquireAsync(String)}. */
    default CompletionStage<Void> acquireAsync() {
        return limiter().acquireAsync(key());
    }

    /** See {@link RateLimiter#acquireAsync(String, long)}. */
    default CompletionStage<Void> acquireAsync(long permits) {
        return limiter().acquireAsync(key(), permits);
    }

    /** See {@link RateLimiter#tryAcquireAsync(String, Duration)}. */
    default CompletionStage<Boolean> tryAcquireAsync(Duration timeout) {
        return limiter().tryAcquireAsync(key(), timeout);
    }

    /** See {@link RateLimiter#tryAcquireAsync(String, long, Duration)}. */
    default CompletionStage<Boolean> tryAcquireAsync(long permits, Duration timeout) {
        return limiter().tryAcquireAsync(key(), permits, timeout);
    }

    /** See {@link RateLimiter#enterAsync}. */
    default CompletionStage<Permit> enterAsync() {
        return limiter().enterAsync(key());
    }

    /** See {@link RateLimiter#tryEnterAsync(String)}. */
    default CompletionStage<Optional<Permit>> tryEnterAsync() {
        return limiter().tryEnterAsync(key());
    }

    /** See {@link RateLimiter#tryEnterAsync(String, Duration)}. */
    default CompletionStage<Optional<Permit>> tryEnterAsync(Duration timeout) {
        return limiter().tryEnterAsync(key(), timeout);
    }

    /** See {@link RateLimiter#reserveAsync(String)}. */
    default CompletionStage<Reservation> reserveAsync() {
        return limiter().reserveAsync(key());
    }

    /** See {@link RateLimiter#reserveAsync(String, Duration)}. */
    default CompletionStage<Reservation> reserveAsync(Duration maxDelay) {
        return limiter().reserveAsync(key(), maxDelay);
    }

    /** See {@link RateLimiter#reserveAsync(String, long)}. */
    default CompletionStage<Reservation> reserveAsync(long permits) {
        return limiter().reserveAsync(key(), permits);
    }

    /** See {@link RateLimiter#reserveAsync(String, long, Duration)}. */
    default CompletionStage<Reservation> reserveAsync(long permits, Duration maxDelay) {
        return limiter().reserveAsync(key(), permits, maxDelay);
    }

    /** See {@link RateLimiter#refundAsync(String)}. */
    default CompletionStage<Void> refundAsync() {
        return limiter().refundAsync(key());
    }

    /** See {@link RateLimiter#refundAsync(String, long)}. */
    default CompletionStage<Void> refundAsync(long permits) {
        return limiter().refundAsync(key(), permits);
    }

    /** See {@link RateLimiter#penalizeAsync(String)}. */
    default CompletionStage<Void> penalizeAsync() {
        return limiter().penalizeAsync(key());
    }

    /** See {@link RateLimiter#penalizeAsync(String, long)}. */
    default CompletionStage<Void> penalizeAsync(long permits) {
        return limiter().penalizeAsync(key(), permits);
    }

    /** See {@link RateLimiter#pauseAsync}. */
    default CompletionStage<Void> pauseAsync(Duration duration) {
        return limiter().pauseAsync(key(), duration);
    }

    /** See {@link RateLimiter#resetAsync}. */
    default CompletionStage<Void> resetAsync() {
        return limiter().resetAsync(key());
    }
}
