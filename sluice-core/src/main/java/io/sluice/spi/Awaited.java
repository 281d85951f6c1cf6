package io.sluice.spi;

import io.sluice.RateLimiter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Blocking callers wait on the same future as asynchronous ones. So there is one implementation, and a virtual thread is
 * never pinned. The future carries what was taken. If the caller does not want it any more, because it was interrupted or
 * has cancelled, it is given back.
 */
/**
 * Waits for the result of a wait that a store has started, blocking or not. Thread-safe.
 *
 * @param <R> what was taken, or that it was refused
 */
final class Awaited<R> {
    private final RateLimiter limiter;
    private final Consumer<R> giveBack;

    /**
     * @param limiter the limiter, for error messages and its executor
     * @param giveBack gives back what was taken, without blocking
     */
    Awaited(RateLimiter limiter, Consumer<R> giveBack) {
        this.limiter = limiter;
        this.giveBack = giveBack;
    }

    R await(String key, Supplier<CompletableFuture<R>> start) throws InterruptedException {
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
            // The result arrived at the same moment. The caller keeps it, and stays interrupted for its next wait.
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

    /** A stage for one caller. If it has to wait, the limiter's executor completes it. Cancelling it gives back what was taken. */
    <T> CompletionStage<T> stage(Supplier<CompletableFuture<R>> start, Function<R, @Nullable T> result) {
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
            inner.whenComplete((taken, failure) -> complete(outer, taken, failure, result));
        } else {
            inner.whenComplete((taken, failure) ->
                    Callbacks.run(limiter.executor(), () -> complete(outer, taken, failure, result)));
        }
        return outer;
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    private <T> void complete(
            CompletableFuture<T> outer, R taken, @Nullable Throwable failure, Function<R, @Nullable T> result) {
        if (failure != null) {
            outer.completeExceptionally(failure);
            return;
        }
        try {
            if (!outer.complete(result.apply(taken))) {
                // The caller cancelled at the same moment.
                giveBack.accept(taken);
            }
        } catch (IllegalArgumentException never) {
            outer.completeExceptionally(never);
        }
    }
}
