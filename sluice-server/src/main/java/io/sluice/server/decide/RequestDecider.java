package io.sluice.server.decide;

import io.sluice.Charge;
import io.sluice.policy.EnteredRequest;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyDecisions;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyRequest;
import io.sluice.policy.PolicyReservation;
import io.sluice.policy.PolicyView;
import io.sluice.spi.LimitChangedException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/*
 * With the memory store a decision takes less than a microsecond, so the event loop makes it itself. With Redis the decision
 * comes later, on a thread of the Redis client, and is passed back to the event loop of the request.
 */
/** Decides requests for all listeners. To be called on an event loop; the returned futures complete on the same event loop. */
public final class RequestDecider {
    private final PolicyEngine engine;
    private final boolean inMemory;
    private final DecisionListener listener;

    /**
     * Creates a decider.
     *
     * @param inMemory whether the engine decides without waiting
     * @param listener gets each decision on a request that asks for permits
     */
    public RequestDecider(PolicyEngine engine, boolean inMemory, DecisionListener listener) {
        this.engine = engine;
        this.inMemory = inMemory;
        this.listener = listener;
    }

    /** A decider without a listener. */
    public RequestDecider(PolicyEngine engine, boolean inMemory) {
        this(engine, inMemory, DecisionListener.NONE);
    }

    /** Decides a request and charges it, and lets it enter concurrency policies. */
    public Future<EnteredRequest> enter(Map<String, String> attributes, long permits) {
        if (inMemory) {
            EnteredRequest entered = engine.hold(attributes, permits);
            listener.decided(attributes, permits, entered.decision());
            return Future.succeededFuture(entered);
        }
        Context context = Vertx.currentContext();
        return Future.fromCompletionStage(engine.holdAsync(attributes, permits), context)
                .onSuccess(entered -> listener.decided(attributes, permits, entered.decision()));
    }

    /** Releases what a request holds. */
    public Future<Void> release(String holds) {
        return Future.fromCompletionStage(engine.releaseAsync(holds), Vertx.currentContext());
    }

    /** Renews what a request holds. */
    public Future<Void> renew(String holds) {
        return Future.fromCompletionStage(engine.renewAsync(holds), Vertx.currentContext());
    }

    /** Decides a request and charges it. For callers that cannot release: concurrency policies do not apply. */
    public Future<PolicyDecision> check(Map<String, String> attributes, long permits) {
        if (inMemory) {
            PolicyDecision decision = engine.check(attributes, permits);
            listener.decided(attributes, permits, decision);
            return Future.succeededFuture(decision);
        }
        Context context = Vertx.currentContext();
        return Future.fromCompletionStage(engine.checkAsync(attributes, permits), context)
                .onSuccess(decision -> listener.decided(attributes, permits, decision));
    }

    /** Charges a cost by force, and answers as a check of 0 right after. */
    public Future<EnteredRequest> charge(Map<String, String> attributes, long permits) {
        if (inMemory) {
            return Future.succeededFuture(EnteredRequest.withoutHolds(engine.charge(attributes, permits)));
        }
        Context context = Vertx.currentContext();
        return Future.fromCompletionStage(engine.chargeAsync(attributes, permits), context)
                .map(EnteredRequest::withoutHolds);
    }

    /** Decides a request by an estimate of its cost, which is settled later. */
    public Future<PolicyReservation> reserve(Map<String, String> attributes, long permits, Duration ttl) {
        return Future.fromCompletionStage(engine.reserveAsync(attributes, permits, ttl), Vertx.currentContext());
    }

    /** Settles a reservation, and answers as a check of 0 right after. */
    public Future<PolicyDecision> settle(String reservation, long permits) {
        return Future.fromCompletionStage(engine.settleAsync(reservation, permits), Vertx.currentContext());
    }

    /**
     * Decides several requests, and charges all of them or none.
     *
     * @param decision makes the decision with the policies of a view. It is called again with the next view if the policies of
     *     the first are no longer in force; nothing was charged then.
     */
    public <T> Future<T> check(Function<PolicyView, Future<T>> decision) {
        return check(engine.view(), decision);
    }

    private <T> Future<T> check(PolicyView view, Function<PolicyView, Future<T>> decision) {
        Future<T> decided;
        try {
            decided = decision.apply(view);
        } catch (LimitChangedException e) {
            decided = Future.failedFuture(e);
        }
        Context context = Vertx.currentContext();
        return decided.recover(failure -> isOutdated(failure)
                ? Future.fromCompletionStage(engine.viewAfter(view), context).compose(next -> check(next, decision))
                : Future.failedFuture(failure));
    }

    private static boolean isOutdated(Throwable failure) {
        return failure instanceof LimitChangedException
                || (failure instanceof CompletionException && failure.getCause() instanceof LimitChangedException);
    }

    /**
     * Decides several requests with the policies of a view. Fails with {@link LimitChangedException} if those are no longer in
     * force.
     *
     * @param charges further charges, on limiters of the engine's store
     */
    public Future<PolicyDecisions> check(PolicyView view, List<PolicyRequest> requests, List<Charge> charges) {
        if (inMemory) {
            PolicyDecisions decisions = engine.check(view, requests, charges);
            tell(requests, decisions);
            return Future.succeededFuture(decisions);
        }
        Context context = Vertx.currentContext();
        return Future.fromCompletionStage(engine.checkAsync(view, requests, charges), context)
                .onSuccess(decisions -> tell(requests, decisions));
    }

    private void tell(List<PolicyRequest> requests, PolicyDecisions decisions) {
        for (int i = 0; i < requests.size(); i++) {
            PolicyRequest request = requests.get(i);
            listener.decided(
                    request.attributes(), request.permits(), decisions.each().get(i));
        }
    }
}
