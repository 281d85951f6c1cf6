package io.sluice.policy.engine;

import io.sluice.Decision;
import io.sluice.Permit;
import io.sluice.RateLimitedException;
import io.sluice.RateLimiter;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyPermit;
import io.sluice.policy.PolicyResult;
import io.sluice.policy.PolicySelection;
import io.sluice.policy.metrics.PolicyCounters;
import io.sluice.policy.top.TopKeyCounter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/*
 * A wait is for one key of one limiter, because no store can wait for permits of several limiters together. It needs no
 * agreement on the version of the policies: whatever limit the limiter has, the permits are taken under that.
 */
/** Waits for permits of one policy, and pauses keys. {@link PolicyEngine} is its only user. Thread-safe. */
public final class PolicyWaiter {
    private static final Decision ACQUIRED = Decision.allowed(0, 0, 0);

    private final ActivePolicies active;
    private final RequestDecider decider;
    private final PolicyCounters requests;
    private final TopKeyCounter top;

    public PolicyWaiter(ActivePolicies active, RequestDecider decider, PolicyCounters requests, TopKeyCounter top) {
        this.active = active;
        this.decider = decider;
        this.requests = requests;
        this.top = top;
    }

    /** See {@link PolicyEngine#acquireAsync}. */
    public CompletionStage<Void> acquireAsync(
            String policy, Map<String, String> attributes, long permits, Duration timeout) {
        DecisionFuture<Void> result = new DecisionFuture<>();
        MatchedRequest request = match(policy, attributes, permits);
        RateLimiter limiter = request.holds() ? null : request.waitableLimiter();
        if (limiter == null) {
            CompletionStage<PolicyDecision> check =
                    decider.checkAsync(PolicySelection.only(policy), attributes, permits);
            result.cancelTogether(check);
            check.thenAccept(decision -> requireAllowed(decision, permits)).whenComplete(result::finish);
        } else {
            wait(request, limiter, timeout, result, PolicyWaiter::done);
        }
        return result;
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    private static Void done(PolicyDecision unused) {
        return null;
    }

    /**
     * See {@link PolicyEngine#enterAsync(String, Map, long, Duration)}.
     *
     * @param withoutWaiting enters a policy for which nothing can wait
     * @param held makes the result from the decision and the permit
     */
    public CompletionStage<PolicyPermit> enterAsync(
            String policy,
            Map<String, String> attributes,
            long permits,
            Duration timeout,
            Supplier<CompletionStage<PolicyPermit>> withoutWaiting,
            BiFunction<PolicyDecision, Permit, PolicyPermit> held) {
        DecisionFuture<PolicyPermit> result = new DecisionFuture<>();
        MatchedRequest request = match(policy, attributes, permits);
        RateLimiter limiter = request.waitableLimiter();
        if (limiter == null) {
            CompletionStage<PolicyPermit> entered = withoutWaiting.get();
            result.cancelTogether(entered);
            entered.thenApply(permit -> {
                        result.charged(permit::closeAsync);
                        requireAllowed(permit.decision(), permits);
                        return permit;
                    })
                    .whenComplete(result::finish);
        } else if (request.holds()) {
            enter(request, limiter, timeout, result, held);
        } else {
            wait(request, limiter, timeout, result, PolicyPermit::withoutHolds);
        }
        return result;
    }

    private void enter(
            MatchedRequest request,
            RateLimiter limiter,
            Duration timeout,
            DecisionFuture<PolicyPermit> result,
            BiFunction<PolicyDecision, Permit, PolicyPermit> held) {
        String key = request.firstKey();
        CompletionStage<Optional<Permit>> entered = limiter.tryEnterAsync(key, timeout);
        result.cancelTogether(entered);
        entered.thenCompose(permit -> {
                    permit.ifPresent(taken -> result.charged(taken::closeAsync));
                    return permit.isPresent()
                            ? CompletableFuture.completedFuture(
                                    held.apply(counted(request, permit.get().decision()), permit.get()))
                            : limiter.peekAsync(key, 1)
                                    .thenApply(now -> PolicyPermit.withoutHolds(counted(request, denial(now))));
                })
                .whenComplete(result::finish);
    }

    private <T> void wait(
            MatchedRequest request,
            RateLimiter limiter,
            Duration timeout,
            DecisionFuture<T> result,
            Function<PolicyDecision, T> made) {
        String key = request.firstKey();
        long permits = request.permits();
        result.charged(() -> limiter.refundAsync(key, permits));
        CompletionStage<Boolean> acquired = limiter.tryAcquireAsync(key, permits, timeout);
        result.cancelTogether(acquired);
        acquired.thenCompose(taken -> taken
                        ? CompletableFuture.completedFuture(ACQUIRED)
                        : limiter.peekAsync(key, permits).thenApply(PolicyWaiter::denial))
                .thenApply(decision -> made.apply(counted(request, decision)))
                .whenComplete(result::finish);
    }

    /** Counts the decision on the only policy of a request, and throws if it denies. */
    private PolicyDecision counted(MatchedRequest request, Decision decision) {
        PolicyDecision whole = request.decision(List.of(decision), List.of(decision));
        request.count(whole, requests, top);
        requireAllowed(whole, request.permits());
        return whole;
    }

    /** The permits were not free in time, even if they are free by now. */
    private static Decision denial(Decision now) {
        return now.allowed()
                ? new Decision(
                        false,
                        now.remaining(),
                        now.delayMicros(),
                        0,
                        now.resetAfterMicros(),
                        now.debt(),
                        now.degraded())
                : now;
    }

    private static void requireAllowed(PolicyDecision decision, long permits) {
        if (!decision.allowed()) {
            PolicyResult denial = decision.results().get(0);
            String key = String.join(", ", denial.key().values());
            throw new RateLimitedException(denial.policy(), key, permits, denial.decision());
        }
    }

    /** See {@link PolicyEngine#pauseAsync}. */
    public CompletionStage<Void> pauseAsync(String policy, Map<String, String> attributes, Duration duration) {
        MatchedRequest request = match(policy, attributes, 1);
        RateLimiter limiter = request.firstLimiter();
        return limiter == null
                ? CompletableFuture.completedFuture(null)
                : limiter.pauseAsync(request.firstKey(), duration);
    }

    private MatchedRequest match(String policy, Map<String, String> attributes, long permits) {
        Ruleset rules = active.rules();
        return rules.enter(PolicySelection.only(policy), rules.attributes.values(attributes), permits);
    }
}
