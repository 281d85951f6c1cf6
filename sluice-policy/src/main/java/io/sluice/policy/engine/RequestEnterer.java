package io.sluice.policy.engine;

import io.sluice.HoldEndedException;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.EnteredRequest;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicySelection;
import io.sluice.policy.metrics.DecisionTimer;
import io.sluice.policy.metrics.PolicyCounters;
import io.sluice.policy.top.TopKeyCounter;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.PolicyStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/*
 * A request that no concurrency policy applies to is decided like any other: entering costs nothing more.
 *
 * What a policy of scope process holds is in the memory of the process that the request entered. Another process can release the
 * rest, but not renew it: it would not know whether all is still held.
 */
/** Lets requests enter, and releases and renews what they hold. {@link PolicyEngine} is its only user. Thread-safe. */
public final class RequestEnterer {
    private final ActivePolicies active;
    private final RequestDecider decider;
    private final PolicyStore shared;
    private final MemoryStore own;
    private final StorePair stores;
    private final PolicyCounters requests;
    private final TopKeyCounter top;
    private final DecisionTimer timer;

    /** @param own the memory store of this process; may be the same object as the shared store */
    public RequestEnterer(
            ActivePolicies active,
            RequestDecider decider,
            PolicyStore shared,
            MemoryStore own,
            PolicyCounters requests,
            TopKeyCounter top,
            DecisionTimer timer) {
        this.active = active;
        this.decider = decider;
        this.shared = shared;
        this.own = own;
        this.stores = decider.stores();
        this.requests = requests;
        this.top = top;
        this.timer = timer;
    }

    /** See {@link PolicyEngine#hold(Map, long)}. */
    public EnteredRequest enter(PolicySelection selection, Map<String, String> attributes, long permits) {
        long started = timer.start();
        Ruleset rules = active.rules();
        for (int tries = 1; ; tries++) {
            MatchedRequest request = rules.enter(selection, rules.attributes.values(attributes), permits);
            try {
                return request.holds()
                        ? counted(request, StorePair.join(stores.enterAsync(request, new DecisionFuture<>())), started)
                        : counted(request, stores.decide(request), started);
            } catch (LimitChangedException e) {
                rules = decider.replacementFor(rules, tries);
            }
        }
    }

    /** See {@link PolicyEngine#holdAsync(Map, long)}. */
    public CompletionStage<EnteredRequest> enterAsync(
            PolicySelection selection, Map<String, String> attributes, long permits) {
        return enterAsync(selection, attributes, permits, entered -> entered);
    }

    /**
     * See {@link PolicyEngine#enterAsync(PolicySelection, Map, long)}.
     *
     * @param made makes the result
     */
    public <T> CompletionStage<T> enterAsync(
            PolicySelection selection, Map<String, String> attributes, long permits, Function<EnteredRequest, T> made) {
        long started = timer.start();
        DecisionFuture<T> future = new DecisionFuture<>();
        decider.decideWithRetries(active.rules(), 1, rules -> {
                    MatchedRequest request = rules.enter(selection, rules.attributes.values(attributes), permits);
                    return request.holds()
                            ? stores.enterAsync(request, future)
                                    .thenApply(entered -> made.apply(counted(request, entered, started)))
                            : stores.decideAsync(request, future)
                                    .thenApply(decision -> made.apply(counted(request, decision, started)));
                })
                .whenComplete(future::finish);
        return future;
    }

    private EnteredRequest counted(MatchedRequest request, PolicyDecision decision, long started) {
        request.count(decision, requests, top);
        timer.stop(started);
        return EnteredRequest.withoutHolds(decision);
    }

    private EnteredRequest counted(MatchedRequest request, StorePair.Entered<PolicyDecision> entered, long started) {
        EnteredRequest plain = counted(request, entered.decision(), started);
        HoldsText holds = entered.holds();
        return holds == null
                ? plain
                : new EnteredRequest(entered.decision(), Optional.of(holds.toString()), entered.renewEvery());
    }

    /** See {@link PolicyEngine#releaseAsync(String)}. */
    public CompletionStage<Void> releaseAsync(String text) {
        HoldsText holds;
        try {
            holds = HoldsText.parse(text);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
        String onShared = holds.shared();
        String onOwn = holds.own();
        if (onShared == null || onOwn == null) {
            return onOwn != null ? own.releaseAsync(onOwn) : shared.releaseAsync(String.valueOf(onShared));
        }
        try {
            own.areHeld(onOwn);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
        return shared.releaseAsync(onShared).handle((done, failure) -> failure).thenCompose(failure -> {
            if (failure != null && cause(failure) instanceof IllegalArgumentException) {
                return CompletableFuture.failedFuture(cause(failure));
            }
            // Both are released, whatever becomes of the other.
            CompletionStage<Void> here = own.releaseAsync(onOwn);
            if (failure == null) {
                // What another process holds for it there lapses, because nobody renews it.
                return here.exceptionallyCompose(RequestEnterer::unlessEnded);
            }
            return isEnded(failure) ? here : CompletableFuture.failedFuture(cause(failure));
        });
    }

    /** See {@link PolicyEngine#renewAsync(String)}. */
    public CompletionStage<Void> renewAsync(String text) {
        HoldsText holds;
        try {
            holds = HoldsText.parse(text);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
        String onShared = holds.shared();
        String onOwn = holds.own();
        if (onShared == null || onOwn == null) {
            return onOwn != null ? own.renewAsync(onOwn) : shared.renewAsync(String.valueOf(onShared));
        }
        try {
            if (!own.areHeld(onOwn)) {
                return own.renewAsync(onOwn);
            }
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
        return shared.renewAsync(onShared).thenCompose(renewed -> own.renewAsync(onOwn));
    }

    private static CompletionStage<Void> unlessEnded(Throwable failure) {
        return isEnded(failure)
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(cause(failure));
    }

    private static boolean isEnded(Throwable failure) {
        return cause(failure) instanceof HoldEndedException;
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
