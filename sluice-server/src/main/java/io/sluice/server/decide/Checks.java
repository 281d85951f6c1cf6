package io.sluice.server.decide;

import io.sluice.Charge;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyDecisions;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyRequest;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;

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
     * @param also further charges, on limiters of the engine's store
     */
    public Future<PolicyDecisions> check(List<PolicyRequest> requests, List<Charge> also) {
        if (atOnce) {
            return Future.succeededFuture(engine.check(requests, also));
        }
        Context context = Vertx.currentContext();
        return Future.fromCompletionStage(engine.checkAsync(requests, also), context);
    }
}
