package io.sluice.server.http;

import io.sluice.policy.EnteredRequest;
import io.sluice.server.decide.RequestBounds;
import io.sluice.server.decide.RequestDecider;
import io.sluice.server.json.CheckRequest;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code POST /v1/check:batch} with {@code {"checks":[{"attributes":{}},...]}}: many independent
 * checks, decided in order. If one of them is not valid, nothing is charged. The response is {@code {"decisions":[...]}}, each
 * decision as in {@code /v1/check}.
 */
public final class BatchRoute implements Route {
    private final RequestDecider decider;

    public BatchRoute(RequestDecider decider) {
        this.decider = decider;
    }

    @Override
    public void handle(HttpServerRequest request) {
        JsonBodies.read(
                request, body -> JsonBodies.CHECKS.batch(body, RequestBounds.BATCH), batch -> decide(request, batch));
    }

    private void decide(HttpServerRequest request, List<CheckRequest> batch) {
        List<Future<EnteredRequest>> decisions = new ArrayList<>(batch.size());
        for (CheckRequest check : batch) {
            decisions.add(decider.enter(check.attributes(), check.permits()));
        }
        Future.join(decisions)
                .onComplete(
                        all -> ResponseWriter.json(request.response(), out -> append(out, decisions))
                                .onFailure(gone -> releaseAll(decisions)),
                        failure -> {
                            releaseAll(decisions);
                            Problems.failed(request, failure);
                        });
    }

    private void releaseAll(List<Future<EnteredRequest>> decisions) {
        for (Future<EnteredRequest> decision : decisions) {
            if (decision.succeeded()) {
                CheckRoute.releaseAll(decider, decision.result());
            }
        }
    }

    private static void append(StringBuilder out, List<Future<EnteredRequest>> decisions) {
        out.append("{\"decisions\":[");
        String separator = "";
        for (Future<EnteredRequest> decision : decisions) {
            out.append(separator);
            decision.result().appendJson(out);
            separator = ",";
        }
        out.append("]}");
    }
}
