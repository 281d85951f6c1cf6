package io.sluice.redis;

import io.sluice.redis.call.RedisReservation;
import io.sluice.redis.script.Arguments;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who waits for permits of one limiter, as its callers see it: blocked, or with a stage. */
final class Callers {
    private final RedisLimiter limiter;

    Callers(RedisLimiter limiter) {
        this.limiter = limiter;
    }

    void acquire(String key, long permits) throws InterruptedException {
        requireGranted(get(key, () -> start(key, permits, Arguments.FOR_EVER)), key, permits);
    }

    boolean tryAcquire(String key, long permits, Duration timeout) throws InterruptedException {
        return get(key, () -> start(key, permits, Arguments.micros("timeout", timeout)))
                .granted();
    }

    CompletionStage<Void> acquireAsync(String key, long permits) {
        return stage(() -> start(key, permits, Arguments.FOR_EVER), reservation -> {
            requireGranted(reservation, key, permits);
            return null;
        });
    }

    CompletionStage<Boolean> tryAcquireAsync(String key, long permits, Duration timeout) {
        return stage(() -> start(key, permits, Arguments.micros("timeout", timeout)), RedisReservation::granted);
    }

    private CompletableFuture<RedisReservation> start(String key, long permits, long timeoutMicros) {
        Arguments.require(key, permits);
        return limiter.waits().start(key, permits, timeoutMicros);
    }

    /** Who waits without a timeout is refused only what can never be had. */
    private void requireGranted(RedisReservation reservation, String key, long permits) {
        if (!reservation.granted()) {
            throw new IllegalArgumentException("limiter \"" + limiter.name() + "\", key \"" + key + "\": " + permits
                    + " permits can never be had (expected: at most what " + limiter.limits() + " has)");
        }
    }

    /** Starts to wait and blocks until the answer is there. */
    RedisReservation get(String key, Supplier<CompletableFuture<RedisReservation>> start) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CompletableFuture<RedisReservation> future = start.get();
        try {
            return future.get();
        } catch (InterruptedException e) {
            if (future.cancel(false)) {
                throw e;
            }
            // Answered in the very moment: nothing to give back, and the caller finds itself interrupted next time.
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

    /** A stage of its own for a caller, completed off the threads that talk to Redis; cancelling it gives the permits back. */
    private static <T> CompletionStage<T> stage(
            Supplier<CompletableFuture<RedisReservation>> start, Function<RedisReservation, @Nullable T> answer) {
        CompletableFuture<RedisReservation> inner;
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
        inner.whenCompleteAsync(
                (reservation, failure) -> tell(reservation, failure, outer, answer), ForkJoinPool.commonPool());
        return outer;
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    private static <T> void tell(
            RedisReservation reservation,
            @Nullable Throwable failure,
            CompletableFuture<T> outer,
            Function<RedisReservation, @Nullable T> answer) {
        if (failure != null) {
            outer.completeExceptionally(failure);
            return;
        }
        try {
            if (!outer.complete(answer.apply(reservation))) {
                // Cancelled while the answer was on its way.
                reservation.cancelAsync();
            }
        } catch (IllegalArgumentException never) {
            outer.completeExceptionally(never);
        }
    }
}
