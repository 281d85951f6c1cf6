package io.sluice.server.http;

import io.sluice.policy.JsonText;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyReservation;
import io.sluice.server.decide.RequestDecider;
import io.sluice.server.json.ReserveRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * {@code POST /v1/reserve} with {@code {"attributes":{"tenant":"acme"},"permits":1000,"ttl":"60s"}}: decides and charges an estimate.
 * The response is that of {@code /v1/check}, and if it was allowed it has {@code "reservation"}, for {@link SettleRoute}.
 */
public final class ReserveRoute implements Route {
    private final RequestDecider decider;
    private final boolean legacyHeaders;

    /** Creates the route; {@code legacyHeaders} says whether to add {@code X-RateLimit-*} headers. */
    public ReserveRoute(RequestDecider decider, boolean legacyHeaders) {
        this.decider = decider;
        this.legacyHeaders = legacyHeaders;
    }

    @Override
    public void handle(HttpServerRequest request) {
        JsonBodies.read(request, JsonBodies.CHECKS::reserve, reserve -> reserve(request, reserve));
    }

    private void reserve(HttpServerRequest request, ReserveRequest reserve) {
        decider.reserve(reserve.check().attributes(), reserve.check().permits(), reserve.ttl())
                .onComplete(
                        reservation -> answer(request.response(), reservation),
                        failure -> Problems.failed(request, failure));
    }

    private void answer(HttpServerResponse response, PolicyReservation reservation) {
        PolicyDecision decision = reservation.decision();
        ResponseWriter.addRateLimitHeaders(response, decision, legacyHeaders);
        ResponseWriter.json(response, out -> {
            decision.appendJson(out);
            reservation.text().ifPresent(text -> {
                out.setLength(out.length() - 1);
                JsonText.appendQuoted(out.append(",\"reservation\":"), text);
                out.append('}');
            });
        });
    }
}
