package io.sluice.server.http;

import io.sluice.policy.PolicyEngine;
import io.sluice.server.json.CheckRequest;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;

/**
 * {@code POST /v1/explain} with a check: explains which policies apply and why, and their state. Charges nothing. The
 * response is {@link io.sluice.policy.explain.Explanation#toJson}.
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

    private void explain(HttpServerRequest request, CheckRequest check) {
        Context context = Vertx.currentContext();
        context.executeBlocking(
                        () -> engine.explain(check.attributes(), check.permits())
                                .toJson(check.attributes(), check.permits()),
                        false)
                .onComplete(
                        json -> ResponseWriter.json(request.response(), out -> out.append(json)),
                        failure -> Problems.failed(request, failure));
    }
}
