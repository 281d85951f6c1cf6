package io.sluice.testkit;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Reads the results of completion stages. */
final class Stages {
    private Stages() {}

    /** Waits for the result. If the stage failed, throws the original exception. */
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
