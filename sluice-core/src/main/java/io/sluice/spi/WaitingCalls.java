package io.sluice.spi;

import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.exact.Exact;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The calls of a limiter that wait for permits: {@code acquire}, and {@code tryAcquire} with a timeout, blocking and
 * asynchronous. The store supplies how to wait. Thread-safe.
 *
 * @param <R> the reservations of the store
 */
public final class WaitingCalls<R extends Reservation> {
    private final RateLimiter limiter;
    private final WaitStarter<R> starter;
    private final Awaited<R> awaited;

    /** Starts a wait for permits. The store implements it. */
    public interface WaitStarter<R> {
        /**
         * Starts to wait for permits of a key.
         *
         * @param timeoutMicros the maximum wait
         * @return a reservation whose delay is over, or that is not granted. Cancelling the future gives the permits back.
         */
        CompletableFuture<R> start(String key, long permits, long timeoutMicros);
    }

    /** @param limiter the limiter, for error messages and its executor */
    public WaitingCalls(RateLimiter limiter, WaitStarter<R> starter) {
        this.limiter = limiter;
        this.starter = starter;
        this.awaited = new Awaited<>(limiter, Reservation::cancelAsync);
    }

    /** Implements {@link RateLimiter#acquire(String, long)}. */
    public void acquire(String key, long permits) throws InterruptedException {
        requireGranted(awaited.await(key, () -> starter.start(key, permits, Exact.MAX_MICROS)), key, permits);
    }

    /** Implements {@link RateLimiter#tryAcquire(String, long, Duration)}. */
    public boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException {
        return awaited.await(key, () -> starter.start(key, permits, Exact.microsUp("timeout", timeout)))
                .granted();
    }

    /** Implements {@link RateLimiter#acquireAsync(String, long)}. */
    public CompletionStage<Void> acquireAsync(String key, long permits) {
        return awaited.stage(() -> starter.start(key, permits, Exact.MAX_MICROS), reservation -> {
            requireGranted(reservation, key, permits);
            return null;
        });
    }

    /** Implements {@link RateLimiter#tryAcquireAsync(String, long, Duration)}. */
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout) {
        return awaited.stage(
                () -> starter.start(key, permits, Exact.microsUp("timeout", timeout)), Reservation::granted);
    }

    /** Without a timeout, a request is refused only if the limits can never give so many permits. */
    private void requireGranted(Reservation reservation, String key, long permits) {
        if (!reservation.granted()) {
            throw new IllegalArgumentException("limiter \"" + limiter.name() + "\", key \"" + key + "\": " + permits
                    + " permits can never be had (expected: at most the capacity of " + limiter.limits() + ")");
        }
    }
}
