package io.sluice.policy.engine;

import io.sluice.Charge;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyDecisions;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyRequest;
import io.sluice.policy.PolicySelection;
import io.sluice.policy.metrics.DecisionTimer;
import io.sluice.policy.metrics.PolicyCounters;
import io.sluice.policy.top.TopKeyCounter;
import io.sluice.spi.LimitChangedException;
import io.sluice.spi.PolicyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/*
 * A request is decided by one ruleset. If a limit of that ruleset is no longer in force, the store decides nothing and
 * throws LimitChangedException. Then the request is decided again by a newer ruleset.
 */

/**
 * Decides requests by the active policies, and counts the decisions. {@link PolicyEngine} is its only user.
 * Thread-safe.
 */
public final class RequestDecider {
    /**
     * The tries that do not wait for the store: with the active ruleset, the next ruleset, and the then active ruleset.
     */
    private static final int TRIES_WITHOUT_WAITING = 3;

    private final ActivePolicies active;
    private final StorePair stores;
    private final PolicyCounters requests;
    private final TopKeyCounter top;
    private final DecisionTimer timer;

    /** @param own the memory store of this process; may be the same object as the shared store */
    public RequestDecider(
            ActivePolicies active,
            PolicyStore shared,
            MemoryStore own,
            Installer installer,
            PolicyCounters requests,
            TopKeyCounter top,
            DecisionTimer timer) {
        this.active = active;
        this.stores = new StorePair(shared, own, installer);
        this.requests = requests;
        this.top = top;
        this.timer = timer;
    }

    StorePair stores() {
        return stores;
    }

    /** See {@link PolicyEngine#check(PolicySelection, Map, long)}. */
    public PolicyDecision check(PolicySelection selection, Map<String, String> attributes, long permits) {
        long started = timer.start();
        Ruleset rules = active.rules();
        for (int tries = 1; ; tries++) {
            MatchedRequest request = rules.apply(selection, rules.attributes.values(attributes), permits);
            try {
                return counted(request, stores.decide(request), started);
            } catch (LimitChangedException e) {
                rules = replacementFor(rules, tries);
            }
        }
    }

    /** See {@link PolicyEngine#checkAsync(PolicySelection, Map, long)}. */
    public CompletionStage<PolicyDecision> checkAsync(
            PolicySelection selection, Map<String, String> attributes, long permits) {
        long started = timer.start();
        DecisionFuture<PolicyDecision> future = new DecisionFuture<>();
        decideWithRetries(active.rules(), 1, rules -> {
                    MatchedRequest request = rules.apply(selection, rules.attributes.values(attributes), permits);
                    return stores.decideAsync(request, future)
                            .thenApply(decision -> counted(request, decision, started));
                })
                .whenComplete(future::finish);
        return future;
    }

    /** See {@link PolicyEngine#refundAsync}. */
    public CompletionStage<Void> refundAsync(
            PolicySelection selection, Map<String, String> attributes, long permits, PolicyDecision decision) {
        Ruleset rules = active.rules();
        List<Charge> taken = rules.apply(selection, rules.attributes.values(attributes), permits)
                .taken(decision);
        return CompletableFuture.allOf(taken.stream()
                .map(charge -> charge.limiter().refundAsync(charge.key(), charge.permits()))
                .map(CompletionStage::toCompletableFuture)
                .toArray(CompletableFuture[]::new));
    }

    /** See {@link PolicyEngine#charge(PolicySelection, Map, long)}. */
    public PolicyDecision charge(PolicySelection selection, Map<String, String> attributes, long permits) {
        long started = timer.start();
        Ruleset rules = active.rules();
        for (int tries = 1; ; tries++) {
            MatchedRequest request = rules.apply(selection, rules.attributes.values(attributes), permits)
                    .byForce();
            try {
                return counted(request, stores.decide(request), started);
            } catch (LimitChangedException e) {
                rules = replacementFor(rules, tries);
            }
        }
    }

    /** See {@link PolicyEngine#chargeAsync(PolicySelection, Map, long)}. */
    public CompletionStage<PolicyDecision> chargeAsync(
            PolicySelection selection, Map<String, String> attributes, long permits) {
        long started = timer.start();
        DecisionFuture<PolicyDecision> future = new DecisionFuture<>();
        decideWithRetries(active.rules(), 1, rules -> {
                    MatchedRequest request = rules.apply(selection, rules.attributes.values(attributes), permits)
                            .byForce();
                    return stores.decideAsync(request, future)
                            .thenApply(decision -> counted(request, decision, started));
                })
                .whenComplete(future::finish);
        return future;
    }

    /** See {@link PolicyEngine#check(List, List)}. */
    public PolicyDecisions check(List<PolicyRequest> requests, List<Charge> also) {
        Ruleset rules = active.rules();
        for (int tries = 1; ; tries++) {
            try {
                return check(rules, requests, also);
            } catch (LimitChangedException e) {
                // The store decided nothing.
                rules = replacementFor(rules, tries);
            }
        }
    }

    /** See {@link PolicyEngine#checkAsync(List, List)}. */
    public CompletionStage<PolicyDecisions> checkAsync(List<PolicyRequest> requests, List<Charge> also) {
        long started = timer.start();
        DecisionFuture<PolicyDecisions> future = new DecisionFuture<>();
        decideWithRetries(active.rules(), 1, rules -> decideAsync(rules, requests, also, started, future))
                .whenComplete(future::finish);
        return future;
    }

    /**
     * Decides by this ruleset only.
     *
     * @throws LimitChangedException if a limit of the ruleset is no longer in force; then nothing was decided
     */
    public PolicyDecisions check(Ruleset rules, List<PolicyRequest> requests, List<Charge> also) {
        long started = timer.start();
        MatchedRequests matched = MatchedRequests.of(rules, requests, also);
        return counted(matched, stores.decide(matched), started);
    }

    /** {@link #check(Ruleset, List, List)} without blocking. */
    public CompletionStage<PolicyDecisions> checkAsync(Ruleset rules, List<PolicyRequest> requests, List<Charge> also) {
        DecisionFuture<PolicyDecisions> future = new DecisionFuture<>();
        decideAsync(rules, requests, also, timer.start(), future).whenComplete(future::finish);
        return future;
    }

    Ruleset replacementFor(Ruleset outdated, int tries) {
        Ruleset replacement = tries % TRIES_WITHOUT_WAITING == 0 ? null : active.replacementFor(outdated);
        return replacement == null ? active.catchUp(outdated) : replacement;
    }

    /**
     * The ruleset for the next try of a request.
     *
     * @param outdated the ruleset of the last try, whose limits are no longer in force
     * @param tries the number of tries so far
     */
    public CompletionStage<Ruleset> replacementForAsync(Ruleset outdated, int tries) {
        Ruleset replacement = tries % TRIES_WITHOUT_WAITING == 0 ? null : active.replacementFor(outdated);
        return replacement == null ? active.catchUpAsync(outdated) : CompletableFuture.completedFuture(replacement);
    }

    /** Decides, and decides again by a newer ruleset as long as the limits of the ruleset are no longer in force. */
    <T> CompletionStage<T> decideWithRetries(Ruleset rules, int tries, Function<Ruleset, CompletionStage<T>> decide) {
        return decide.apply(rules)
                .handle((decision, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(decision);
                    }
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (cause instanceof LimitChangedException) {
                        return replacementForAsync(rules, tries)
                                .thenCompose(newer -> decideWithRetries(newer, tries + 1, decide));
                    }
                    return CompletableFuture.<T>failedFuture(cause);
                })
                .thenCompose(stage -> stage);
    }

    private CompletionStage<PolicyDecisions> decideAsync(
            Ruleset rules,
            List<PolicyRequest> requests,
            List<Charge> also,
            long started,
            DecisionFuture<PolicyDecisions> future) {
        MatchedRequests matched = MatchedRequests.of(rules, requests, also);
        return stores.decideAsync(matched, future).thenApply(decisions -> counted(matched, decisions, started));
    }

    private PolicyDecisions counted(MatchedRequests matched, PolicyDecisions decisions, long started) {
        matched.count(decisions, requests, top);
        timer.stop(started);
        return decisions;
    }

    private PolicyDecision counted(MatchedRequest request, PolicyDecision decision, long started) {
        request.count(decision, requests, top);
        timer.stop(started);
        return decision;
    }
}
