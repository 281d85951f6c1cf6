package io.sluice.server.ops;

import io.sluice.server.http.Routes;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** {@code /healthz} and {@code /readyz}. They accept any method, because probes use different ones. */
public final class HealthRoutes {
    private static final int MAX_NAMES = 10;

    private final Readiness readiness;
    private final TrafficMetrics traffic;

    public HealthRoutes(Readiness readiness, TrafficMetrics traffic) {
        this.readiness = readiness;
        this.traffic = traffic;
    }

    public void addTo(Routes routes) {
        routes.open("/healthz", request -> answer(request, 200, new JsonObject().put("status", "up")));
        routes.open("/readyz", this::ready);
    }

    private void ready(HttpServerRequest request) {
        List<String> denying = readiness.denying();
        if (readiness.isStopping()) {
            answer(request, 503, new JsonObject().put("status", "stopping"));
        } else if (denying.isEmpty()) {
            answer(request, 200, new JsonObject().put("status", "ready"));
        } else {
            JsonArray named = new JsonArray(denying.subList(0, Math.min(MAX_NAMES, denying.size())));
            answer(
                    request,
                    503,
                    new JsonObject()
                            .put("status", "store unreachable")
                            .put("denying", named)
                            .put("denying-policies", denying.size()));
        }
    }

    private void answer(HttpServerRequest request, int status, JsonObject body) {
        traffic.countProbe();
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .putHeader("Cache-Control", "no-store")
                .end(body.toBuffer());
    }
}
