package io.sluice.server.http;

import io.sluice.policy.PolicyDecision;
import io.sluice.server.decide.Checks;
import io.sluice.server.decide.RequestBounds;
import io.sluice.server.json.Check;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code POST /v1/check:batch} with {@code {"checks":[{"attributes":{}},...]}}: many checks that have nothing to do with each
 * other, decided in their order. Nothing is charged unless all can be read. The answer is {@code {"decisions":[...]}}, each as
 * {@code /v1/check} would answer it.
 */
public final class BatchRoute implements Route {
    private final Checks checks;

    public BatchRoute(Checks checks) {
        this.checks = checks;
    }

    @Override
    public void handle(HttpServerRequest request) {
        JsonBodies.read(
                request, body -> JsonBodies.CHECKS.batch(body, RequestBounds.BATCH), batch -> decide(request, batch));
    }

    private void decide(HttpServerRequest request, List<Check> batch) {
        List<Future<PolicyDecision>> decisions = new ArrayList<>(batch.size());
        for (Check check : batch) {
            decisions.add(checks.check(check.attributes(), check.permits()));
        }
        Future.join(decisions)
                .onComplete(
                        all -> Answers.json(request.response(), out -> append(out, decisions)),
                        failure -> Problems.failed(request, failure));
    }

    private static void append(StringBuilder out, List<Future<PolicyDecision>> decisions) {
        out.append("{\"decisions\":[");
        String separator = "";
        for (Future<PolicyDecision> decision : decisions) {
            out.append(separator);
            decision.result().appendJson(out);
            separator = ",";
        }
        out.append("]}");
    }
}
