package io.sluice.server.http;

import io.sluice.policy.EnteredRequest;
import io.sluice.server.decide.Decide;
import io.sluice.server.decide.RequestDecider;
import io.sluice.server.json.CheckRequest;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * {@code POST /v1/check} with {@code {"attributes":{"tenant":"acme"},"permits":1}}: decides and charges. {@code POST /v1/charge}
 * with the same: charges by force. The response is 200, allowed or denied, with {@link EnteredRequest#toJson()} and the RateLimit
 * headers. {@code "holds"} is for {@link HoldRoute}.
 */
public final class CheckRoute implements Route {
    private final Decide decide;
    private final RequestDecider decider;
    private final boolean legacyHeaders;

    private CheckRoute(Decide decide, RequestDecider decider, boolean legacyHeaders) {
        this.decide = decide;
        this.decider = decider;
        this.legacyHeaders = legacyHeaders;
    }

    /** The route {@code /v1/check}; {@code legacyHeaders} says whether to add {@code X-RateLimit-*} headers. */
    public static CheckRoute check(RequestDecider decider, boolean legacyHeaders) {
        return new CheckRoute(decider::enter, decider, legacyHeaders);
    }

    /** The route {@code /v1/charge}; {@code legacyHeaders} says whether to add {@code X-RateLimit-*} headers. */
    public static CheckRoute charge(RequestDecider decider, boolean legacyHeaders) {
        return new CheckRoute(decider::charge, decider, legacyHeaders);
    }

    @Override
    public void handle(HttpServerRequest request) {
        JsonBodies.read(request, JsonBodies.CHECKS::check, check -> decide(request, check));
    }

    private void decide(HttpServerRequest request, CheckRequest check) {
        decide.decide(check.attributes(), check.permits())
                .onComplete(
                        entered -> answer(request.response(), entered), failure -> Problems.failed(request, failure));
    }

    private void answer(HttpServerResponse response, EnteredRequest entered) {
        ResponseWriter.addRateLimitHeaders(response, entered.decision(), legacyHeaders);
        ResponseWriter.json(response, entered::appendJson).onFailure(gone -> releaseAll(decider, entered));
    }

    /** The client is gone, so it will never release. */
    static void releaseAll(RequestDecider decider, EnteredRequest entered) {
        entered.holds().ifPresent(decider::release);
    }
}
