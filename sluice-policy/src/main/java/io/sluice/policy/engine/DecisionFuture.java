package io.sluice.policy.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The future of an asynchronous decision. If the caller cancels it, the permits that the request has taken are given
 * back.
 */
final class DecisionFuture<T> extends CompletableFuture<T> {
    private volatile Runnable giveBack = () -> {};

    /** Cancels a call to the store when this future is cancelled. The store then gives back what that call takes. */
    void cancelTogether(CompletionStage<?> storeCall) {
        whenComplete((value, failure) -> {
            if (failure != null) {
                storeCall.toCompletableFuture().cancel(false);
            }
        });
    }

    /** Remembers how to give back the permits that were taken. */
    void charged(Runnable giveBack) {
        this.giveBack = giveBack;
    }

    /** Completes the future, or gives the permits back if the caller has cancelled it. */
    void finish(T value, @Nullable Throwable failure) {
        if (failure != null) {
            completeExceptionally(
                    failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure);
        } else if (!complete(value)) {
            // The caller cancelled at the moment of the decision.
            giveBack.run();
        }
    }
}
