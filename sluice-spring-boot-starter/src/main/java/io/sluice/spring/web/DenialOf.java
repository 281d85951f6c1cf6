package io.sluice.spring.web;

import io.sluice.RateLimitedException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Finds the denial in what leaves a handler. */
public final class DenialOf {
    private DenialOf() {}

    /** The denial itself, or the one that an exception has as a cause; null if the failure is something else. */
    public static @Nullable RateLimitedException failure(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RateLimitedException denial) {
                return denial;
            }
        }
        return null;
    }

    /** {@link #failure}, but null if the exception of the application says itself which status the response has. */
    public static @Nullable RateLimitedException response(Throwable failure) {
        return hasStatus(failure) ? null : failure(failure);
    }

    private static boolean hasStatus(Throwable failure) {
        return failure instanceof ErrorResponse
                || MergedAnnotations.from(failure.getClass()).isPresent(ResponseStatus.class);
    }
}
