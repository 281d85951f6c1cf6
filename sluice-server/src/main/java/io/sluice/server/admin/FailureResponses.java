package io.sluice.server.admin;

import io.sluice.policy.PolicyException;
import io.sluice.redis.RedisUnavailableException;
import io.sluice.server.http.Problems;
import io.sluice.server.logging.PeerLog;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletionException;

/** Answers admin requests that failed. */
final class FailureResponses {
    private static final PeerLog LOG = PeerLog.to("io.sluice.server");

    private FailureResponses() {}

    /** The status and the text of the response to a failure. */
    record Refusal(int status, String detail) {
        static Refusal of(Throwable failure) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (cause instanceof PolicyException) {
                return new Refusal(422, "the policies are refused; those in force stay");
            } else if (cause instanceof PreconditionFailedException) {
                return new Refusal(412, text(cause));
            } else if (cause instanceof NoSuchElementException) {
                return new Refusal(404, text(cause));
            } else if (cause instanceof IllegalArgumentException) {
                return new Refusal(400, text(cause));
            } else if (cause instanceof UnsupportedOperationException) {
                return new Refusal(409, text(cause));
            } else if (cause instanceof IOException) {
                return new Refusal(500, "cannot be stored, so nothing was changed: " + cause);
            } else if (cause instanceof RedisUnavailableException || cause instanceof IllegalStateException) {
                return new Refusal(
                        503, "no answer from the store; it is not known whether it was done: " + text(cause));
            }
            LOG.error("an admin request failed", cause);
            return new Refusal(500, "an internal error; the log says why");
        }

        private static String text(Throwable cause) {
            String message = cause.getMessage();
            return message == null ? cause.toString() : message;
        }
    }

    static Refusal answer(HttpServerRequest request, Throwable failure) {
        Refusal refusal = Refusal.of(failure);
        JsonObject more = new JsonObject();
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof PolicyException refused) {
            more.put("problems", AdminJson.problems(refused.problems()));
        } else if (cause instanceof PreconditionFailedException failed) {
            request.response().putHeader("ETag", failed.tag());
        }
        Problems.answer(request, refusal.status(), refusal.detail(), more);
        return refusal;
    }
}
