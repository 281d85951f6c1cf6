package io.sluice.server.http;

import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.Checks;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code POST /v1/check}. */
public final class CheckRoute implements Route {
    private final Checks checks;

    public CheckRoute(Checks checks) {
        this.checks = checks;
    }

    @Override
    public void handle(HttpServerRequest request) {
        Bodies.read(request, body -> check(request, body));
    }

    private void check(HttpServerRequest request, Buffer body) {
        JsonObject json = body.toJsonObject();
        Map<String, String> attributes = new LinkedHashMap<>();
        json.getJsonObject("attributes", new JsonObject())
                .forEach(entry -> attributes.put(entry.getKey(), String.valueOf(entry.getValue())));
        checks.check(attributes, json.getLong("permits", 1L)).onSuccess(decision -> answer(request, decision));
    }

    private static void answer(HttpServerRequest request, PolicyDecision decision) {
        request.response().putHeader("Content-Type", "application/json").end(decision.toJson());
    }
}
