package io.sluice.spi;

import io.sluice.RateLimiter;
import io.sluice.Reservation;
import io.sluice.exact.Exact;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Blocking callers wait on the same future as asynchronous ones. So there is one implementation, and a virtual thread is
 * never pinned. The future carries the reservation. If the caller does not want it any more, because it was interrupted or
 * has cancelled, the permits are given back.
 */
/**
 * The calls of a limiter that wait for permits: {@code acquire}, and {@code tryAcquire} with a timeout, blocking and
 * asynchronous. The store supplies how to wait. Thread-safe.
 *
 * @param <R> the reservations of the store
 */
public final class WaitingCalls<R extends Reservation> {
    private final RateLimiter limiter;
    private final WaitStarter<R> starter;

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
    }

    /** Implements {@link RateLimiter#acquire(String, long)}. */
    public void acquire(String key, long permits) throws InterruptedException {
        requireGranted(await(key, () -> starter.start(key, permits, Exact.MAX_MICROS)), key, permits);
    }

    /** Implements {@link RateLimiter#tryAcquire(String, long, Duration)}. */
    public boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException {
        return await(key, () -> starter.start(key, permits, Exact.microsUp("timeout", timeout)))
                .granted();
    }

    /** Implements {@link RateLimiter#acquireAsync(String, long)}. */
    public CompletionStage<Void> acquireAsync(String key, long permits) {
        return stage(() -> starter.start(key, permits, Exact.MAX_MICROS), reservation -> {
            requireGranted(reservation, key, permits);
            return null;
        });
    }

    /** Implements {@link RateLimiter#tryAcquireAsync(String, long, Duration)}. */
    public CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout) {
        return stage(() -> starter.start(key, permits, Exact.microsUp("timeout", timeout)), Reservation::granted);
    }

    /** Without a timeout, a request is refused only if the limits can never give so many permits. */
    private void requireGranted(Reservation reservation, String key, long permits) {
        if (!reservation.granted()) {
            throw new IllegalArgumentException("limiter \"" + limiter.name() + "\", key \"" + key + "\": " + permits
                    + " permits can never be had (expected: at most the capacity of " + limiter.limits() + ")");
        }
    }

    private R await(String key, Supplier<CompletableFuture<R>> start) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CompletableFuture<R> future = start.get();
        try {
            return future.get();
        } catch (InterruptedException e) {
            if (future.cancel(false)) {
                throw e;
            }
            // The reservation arrived at the same moment. The caller keeps it, and stays interrupted for its next wait.
            Thread.currentThread().interrupt();
            try {
                return future.join();
            } catch (CompletionException failed) {
                throw failure(key, failed.getCause());
            }
        } catch (ExecutionException e) {
            throw failure(key, e.getCause());
        }
    }

    private RuntimeException failure(String key, @Nullable Throwable cause) {
        if (cause instanceof RuntimeException unchecked) {
            return unchecked;
        } else if (cause instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(
                "limiter \"" + limiter.name() + "\", key \"" + key + "\": waiting failed: " + cause, cause);
    }

    /** A stage for one caller. If it has to wait, the limiter's executor completes it. Cancelling it gives the permits back. */
    private <T> CompletionStage<T> stage(Supplier<CompletableFuture<R>> start, Function<R, @Nullable T> result) {
        CompletableFuture<R> inner;
        try {
            inner = start.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<T> outer = new CompletableFuture<>();
        outer.whenComplete((value, failure) -> {
            if (failure != null) {
                inner.cancel(false);
            }
        });
        if (inner.isDone()) {
            inner.whenComplete((reservation, failure) -> complete(outer, reservation, failure, result));
        } else {
            inner.whenComplete((reservation, failure) ->
                    Callbacks.run(limiter.executor(), () -> complete(outer, reservation, failure, result)));
        }
        return outer;
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    private static <R extends Reservation, T> void complete(
            CompletableFuture<T> outer, R reservation, @Nullable Throwable failure, Function<R, @Nullable T> result) {
        if (failure != null) {
            outer.completeExceptionally(failure);
            return;
        }
        try {
            if (!outer.complete(result.apply(reservation))) {
                // The caller cancelled at the same moment.
                reservation.cancelAsync();
            }
        } catch (IllegalArgumentException never) {
            outer.completeExceptionally(never);
        }
    }
}
