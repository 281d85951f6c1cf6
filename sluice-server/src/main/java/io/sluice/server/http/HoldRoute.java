package io.sluice.server.http;

import io.sluice.server.decide.RequestDecider;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Function;

/**
 * {@code POST /v1/release} and {@code POST /v1/renew} with {@code {"holds":"..."}}: gives back what a check holds, or keeps it for
 * longer. The response is 204. 409 if it is not held any more, 400 if the text names nothing, 503 if the store does not answer.
 */
public final class HoldRoute implements Route {
    private final Function<String, Future<Void>> change;

    private HoldRoute(Function<String, Future<Void>> change) {
        this.change = change;
    }

    /** The route {@code /v1/release}. */
    public static HoldRoute release(RequestDecider decider) {
        return new HoldRoute(decider::release);
    }

    /** The route {@code /v1/renew}. */
    public static HoldRoute renew(RequestDecider decider) {
        return new HoldRoute(decider::renew);
    }

    @Override
    public void handle(HttpServerRequest request) {
        JsonBodies.read(
                request,
                JsonBodies.CHECKS::holds,
                holds -> change.apply(holds)
                        .onComplete(
                                done -> request.response().setStatusCode(204).end(),
                                failure -> EndedProblems.answer(request, failure)));
    }
}
