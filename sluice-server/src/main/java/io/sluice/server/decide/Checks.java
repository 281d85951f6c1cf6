package io.sluice.server.decide;

import io.sluice.Charge;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyDecisions;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyRequest;
import io.sluice.policy.PolicyView;
import io.sluice.spi.LimitChangedException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/*
 * In memory a decision takes less than a microsecond, so the event loop makes it itself. With Redis it comes later, from a
 * thread of the client's, and goes back to the event loop that asked.
 */
/** Decides requests for the listeners. */
public final class Checks {
    private final PolicyEngine engine;
    private final boolean atOnce;

    /**
     * Decides by an engine.
     *
     * @param atOnce whether nothing has to be waited for
     */
    public Checks(PolicyEngine engine, boolean atOnce) {
        this.engine = engine;
        this.atOnce = atOnce;
    }

    /** Decides a request and charges it. To be called on an event loop, where the answer comes as well. */
    public Future<PolicyDecision> check(Map<String, String> attributes, long permits) {
        if (atOnce) {
            return Future.succeededFuture(engine.check(attributes, permits));
        }
        Context context = Vertx.currentContext();
        return Future.fromCompletionStage(engine.checkAsync(attributes, permits), context);
    }

    /**
     * Decides several requests, and charges all of them or none, as {@link #check(Map, long)}.
     *
     * @param ask what to decide by certain policies; asked again if those were no longer in force, and so nothing was decided
     */
    public <T> Future<T> check(Function<PolicyView, Future<T>> ask) {
        return check(engine.view(), ask);
    }

    private <T> Future<T> check(PolicyView view, Function<PolicyView, Future<T>> ask) {
        Future<T> decided;
        try {
            decided = ask.apply(view);
        } catch (LimitChangedException e) {
            decided = Future.failedFuture(e);
        }
        Context context = Vertx.currentContext();
        return decided.recover(failure -> isOutdated(failure)
                ? Future.fromCompletionStage(engine.viewAfter(view), context).compose(next -> check(next, ask))
                : Future.failedFuture(failure));
    }

    private static boolean isOutdated(Throwable failure) {
        return failure instanceof LimitChangedException
                || (failure instanceof CompletionException && failure.getCause() instanceof LimitChangedException);
    }

    /**
     * Decides several requests by certain policies; fails with {@link LimitChangedException} if those are no longer in force.
     *
     * @param also further charges, on limiters of the engine's store
     */
    public Future<PolicyDecisions> check(PolicyView view, List<PolicyRequest> requests, List<Charge> also) {
        if (atOnce) {
            return Future.succeededFuture(engine.check(view, requests, also));
        }
        Context context = Vertx.currentContext();
        return Future.fromCompletionStage(engine.checkAsync(view, requests, also), context);
    }
}
