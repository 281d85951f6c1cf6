package io.sluice.server.http;

import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.RequestDecider;
import io.sluice.server.json.SettleRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * {@code POST /v1/settle} with {@code {"reservation":"...","permits":734}}: replaces the estimate of a reservation by what was really
 * used. The response is that of a check of 0 right after. 409 if the reservation has ended, 400 if the text names none, 503 if
 * the store does not answer.
 */
public final class SettleRoute implements Route {
    private final RequestDecider decider;
    private final boolean legacyHeaders;

    /** Creates the route; {@code legacyHeaders} says whether to add {@code X-RateLimit-*} headers. */
    public SettleRoute(RequestDecider decider, boolean legacyHeaders) {
        this.decider = decider;
        this.legacyHeaders = legacyHeaders;
    }

    @Override
    public void handle(HttpServerRequest request) {
        JsonBodies.read(request, JsonBodies.CHECKS::settle, settle -> settle(request, settle));
    }

    private void settle(HttpServerRequest request, SettleRequest settle) {
        decider.settle(settle.reservation(), settle.permits())
                .onComplete(
                        decision -> answer(request.response(), decision),
                        failure -> EndedProblems.answer(request, failure));
    }

    private void answer(HttpServerResponse response, PolicyDecision decision) {
        ResponseWriter.addRateLimitHeaders(response, decision, legacyHeaders);
        ResponseWriter.json(response, decision::appendJson);
    }
}
