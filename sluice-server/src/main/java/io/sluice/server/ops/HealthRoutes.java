package io.sluice.server.ops;

import io.sluice.server.http.Routes;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** {@code /healthz} and {@code /readyz}, by any method: each prober has its own. */
public final class HealthRoutes {
    private static final int MOST_NAMED = 10;

    private final Readiness readiness;
    private final Traffic traffic;

    public HealthRoutes(Readiness readiness, Traffic traffic) {
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
            JsonArray named = new JsonArray(denying.subList(0, Math.min(MOST_NAMED, denying.size())));
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
        traffic.probed();
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .putHeader("Cache-Control", "no-store")
                .end(body.toBuffer());
    }
}
