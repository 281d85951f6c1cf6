package io.sluice.server.http;

import io.sluice.HoldEndedException;
import io.sluice.ReservationEndedException;
import io.sluice.StoreUnavailableException;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionException;

/** Answers requests that failed to change what an earlier request left: a reservation, or permits that are held. */
final class EndedProblems {
    private EndedProblems() {}

    /** Answers 409 if it has ended, 400 if the text names none, 503 if the store does not answer. */
    static void answer(HttpServerRequest request, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ReservationEndedException || cause instanceof HoldEndedException) {
            Problems.answer(request, 409, String.valueOf(cause.getMessage()));
        } else if (cause instanceof IllegalArgumentException) {
            Problems.answer(request, 400, String.valueOf(cause.getMessage()));
        } else if (cause instanceof StoreUnavailableException) {
            Problems.answer(request, 503, String.valueOf(cause.getMessage()));
        } else {
            Problems.failed(request, failure);
        }
    }
}
