package io.sluice;

import java.time.Duration;

/**
 * Listens to the decisions of a limiter, for metrics and logs. It is called on the thread that gets the answer, so an
 * implementation must be fast and must not block. Its exceptions are ignored. Thread-safe.
 */
public interface LimiterListener {
    /**
     * A request that does not wait was decided. {@code peek} is not reported.
     *
     * @param limiter the name of the limiter
     * @param permits the permits that were asked for
     * @param decision the answer. For {@code tryAcquire} on a leaky bucket, permits that need a delay are a denial.
     */
    default void decided(String limiter, String key, long permits, Decision decision) {}

    /**
     * A call that may wait has ended.
     *
     * @param limiter the name of the limiter
     * @param permits the permits that were asked for
     * @param acquired whether the permits were taken. False after a timeout, an interrupt or a cancellation.
     * @param waited how long the call took
     */
    default void waited(String limiter, String key, long permits, boolean acquired, Duration waited) {}
}
