package io.sluice.server.http;

import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.Checks;
import io.sluice.server.json.Check;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * {@code POST /v1/check} with {@code {"attributes":{"tenant":"acme"},"permits":1}}: decides and charges. The answer is 200,
 * denied or not, with {@link PolicyDecision#toJson()} and the RateLimit headers.
 */
public final class CheckRoute implements Route {
    private final Checks checks;
    private final boolean legacyHeaders;

    /**
     * Decides by those checks.
     *
     * @param legacyHeaders whether {@code X-RateLimit-*} are added
     */
    public CheckRoute(Checks checks, boolean legacyHeaders) {
        this.checks = checks;
        this.legacyHeaders = legacyHeaders;
    }

    @Override
    public void handle(HttpServerRequest request) {
        JsonBodies.read(request, JsonBodies.CHECKS::check, check -> decide(request, check));
    }

    private void decide(HttpServerRequest request, Check check) {
        checks.check(check.attributes(), check.permits())
                .onComplete(
                        decision -> answer(request.response(), decision), failure -> Problems.failed(request, failure));
    }

    private void answer(HttpServerResponse response, PolicyDecision decision) {
        Answers.addLimits(response, decision, legacyHeaders);
        Answers.json(response, decision::appendJson);
    }
}
