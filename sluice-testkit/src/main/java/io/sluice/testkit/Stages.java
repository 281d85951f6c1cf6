package io.sluice.testkit;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** What a stage comes to. */
final class Stages {
    private Stages() {}

    /** Waits; throws what it failed with. */
    static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
