package io.sluice.server.http;

import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.Decide;
import io.sluice.server.json.CheckRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * {@code POST /v1/check} with {@code {"attributes":{"tenant":"acme"},"permits":1}}: decides and charges. {@code POST /v1/charge}
 * with the same: charges by force. The response is 200, allowed or denied, with {@link PolicyDecision#toJson()} and the RateLimit
 * headers.
 */
public final class CheckRoute implements Route {
    private final Decide decider;
    private final boolean legacyHeaders;

    /**
     * Creates the route.
     *
     * @param decider decides each request
     * @param legacyHeaders whether to add {@code X-RateLimit-*} headers
     */
    public CheckRoute(Decide decider, boolean legacyHeaders) {
        this.decider = decider;
        this.legacyHeaders = legacyHeaders;
    }

    @Override
    public void handle(HttpServerRequest request) {
        JsonBodies.read(request, JsonBodies.CHECKS::check, check -> decide(request, check));
    }

    private void decide(HttpServerRequest request, CheckRequest check) {
        decider.decide(check.attributes(), check.permits())
                .onComplete(
                        decision -> answer(request.response(), decision), failure -> Problems.failed(request, failure));
    }

    private void answer(HttpServerResponse response, PolicyDecision decision) {
        ResponseWriter.addRateLimitHeaders(response, decision, legacyHeaders);
        ResponseWriter.json(response, decision::appendJson);
    }
}
