package io.sluice.spring.method;

import io.sluice.RateLimitedException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Finds the denial in what leaves a handler. */
final class DenialOf {
    private DenialOf() {}

    /** The denial itself, or in the exception of a future; null if the failure is something else. */
    static @Nullable RateLimitedException failure(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException || cause instanceof ExecutionException) {
            cause = cause.getCause();
        }
        return cause instanceof RateLimitedException denial ? denial : null;
    }
}
