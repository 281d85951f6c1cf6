package io.sluice.policy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What a caller hears of its request. If it stops listening before that, what the request was charged is given back. */
final class Told<T> extends CompletableFuture<T> {
    private volatile Runnable undo = () -> {};

    /** The store was asked: it gives back by itself what nobody wants any more. */
    void asked(CompletionStage<?> store) {
        whenComplete((value, failure) -> {
            if (failure != null) {
                store.toCompletableFuture().cancel(false);
            }
        });
    }

    /** The request was charged. */
    void charged(Runnable undo) {
        this.undo = undo;
    }

    void tell(T value, @Nullable Throwable failure) {
        if (failure != null) {
            completeExceptionally(
                    failure instanceof CompletionException && failure.getCause() != null
                            ? failure.getCause()
                            : failure);
        } else if (!complete(value)) {
            // It stopped listening in the very moment of the answer.
            undo.run();
        }
    }
}
