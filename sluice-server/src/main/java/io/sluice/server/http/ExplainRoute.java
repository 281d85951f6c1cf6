package io.sluice.server.http;

import io.sluice.policy.PolicyEngine;
import io.sluice.server.json.Check;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;

/**
 * {@code POST /v1/explain} with a check: which policies would apply and why, and how they stand. Charges nothing. The answer
 * is {@link io.sluice.policy.explain.Explanation#toJson}.
 */
public final class ExplainRoute implements Route {
    private final PolicyEngine engine;

    public ExplainRoute(PolicyEngine engine) {
        this.engine = engine;
    }

    @Override
    public void handle(HttpServerRequest request) {
        JsonBodies.read(request, JsonBodies.CHECKS::check, check -> explain(request, check));
    }

    private void explain(HttpServerRequest request, Check check) {
        Context context = Vertx.currentContext();
        context.executeBlocking(
                        () -> engine.explain(check.attributes(), check.permits())
                                .toJson(check.attributes(), check.permits()),
                        false)
                .onComplete(
                        json -> Answers.json(request.response(), out -> out.append(json)),
                        failure -> Problems.failed(request, failure));
    }
}
