package io.sluice;

import java.time.Duration;

/**
 * Listens to the calls of a limiter, for metrics and logs. {@link RateLimiter#withListener} and {@link LimiterOptions#listener}
 * set it. It is called on the thread that gets the answer, so an implementation must be fast and must not block. Its exceptions
 * are ignored. Implementations must be thread-safe.
 *
 * <pre>{@code
 * LimiterListener denials = new LimiterListener() {
 *     public void decided(String limiter, String key, long permits, Decision decision) {
 *         if (!decision.allowed()) {
 *             log.info("{} denied {}, retry after {}", limiter, key, decision.retryAfter());
 *         }
 *     }
 * };
 * }</pre>
 */
public interface LimiterListener {
    /** A listener that ignores all calls. */
    LimiterListener NONE = new LimiterListener() {};

    /**
     * A request that does not wait was decided: {@code tryAcquire}, {@code tryEnter}, {@code check}, {@code call},
     * {@code acquireUpTo}, or a charge of {@link Store#decide}. {@code peek} is not reported, and neither is a call that was cancelled.
     *
     * <p>For charges that are decided together, each limiter reports its own verdict: it may be allowed although another limiter
     * denied, so that nothing was taken.
     *
     * @param limiter the name of the limiter
     * @param permits the permits that were asked for. For {@code acquireUpTo}, as many of them as were free, but at least 1.
     * @param decision the answer. For {@code tryAcquire}, {@code call} and {@code acquireUpTo} on a leaky bucket, permits that
     *     need a delay are a denial.
     */
    default void decided(String limiter, String key, long permits, Decision decision) {}

    /**
     * A call that may wait has ended: {@link RateLimiter#acquire}, {@link RateLimiter#enter}, {@code tryAcquire}, {@code tryEnter}
     * or {@code call} with a timeout, or {@code reserve}.
     *
     * @param limiter the name of the limiter
     * @param permits the permits that were asked for
     * @param acquired whether the permits were taken. False after a timeout, an interrupt, a cancellation or {@code close}, and
     *     if the limits can never give so many permits.
     * @param waited how long the call took. For {@code reserve}, which does not wait itself: the delay of the reservation, or 0 if
     *     it was not granted.
     */
    default void waited(String limiter, String key, long permits, boolean acquired, Duration waited) {}
}
