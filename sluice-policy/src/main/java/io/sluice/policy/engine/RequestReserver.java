package io.sluice.policy.engine;

import io.sluice.Decision;
import io.sluice.ReservationEndedException;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyResult;
import io.sluice.policy.PolicySelection;
import io.sluice.policy.match.KeyParser;
import io.sluice.policy.metrics.DecisionTimer;
import io.sluice.policy.metrics.PolicyCounters;
import io.sluice.policy.top.TopKeyCounter;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.SettledCharge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/*
 * The shared store keeps what was taken, so that any process can settle it. The part of policies of scope process is in the memory of
 * the process that made the reservation. If another process settles, the estimate stays charged there.
 */
/** Reserves estimates, and settles them. {@link PolicyEngine} is its only user. Thread-safe. */
public final class RequestReserver {
    private final ActivePolicies active;
    private final RequestDecider decider;
    private final PolicyStore shared;
    private final MemoryStore own;
    private final StorePair stores;
    private final TemporaryLimits temporaries;
    private final PolicyCounters requests;
    private final TopKeyCounter top;
    private final DecisionTimer timer;

    /** @param own the memory store of this process; may be the same object as the shared store */
    public RequestReserver(
            ActivePolicies active,
            RequestDecider decider,
            PolicyStore shared,
            MemoryStore own,
            TemporaryLimits temporaries,
            PolicyCounters requests,
            TopKeyCounter top,
            DecisionTimer timer) {
        this.active = active;
        this.decider = decider;
        this.shared = shared;
        this.own = own;
        this.stores = decider.stores();
        this.temporaries = temporaries;
        this.requests = requests;
        this.top = top;
        this.timer = timer;
    }

    /**
     * See {@link PolicyEngine#reserveAsync(PolicySelection, Map, long, Duration)}.
     *
     * @param made makes the result from the decision and the text of the reservation, which is null if there is nothing to settle
     */
    public <T> CompletionStage<T> reserveAsync(
            PolicySelection selection,
            Map<String, String> attributes,
            long permits,
            Duration ttl,
            BiFunction<PolicyDecision, @Nullable String, T> made) {
        long started = timer.start();
        DecisionFuture<T> future = new DecisionFuture<>();
        decider.decideWithRetries(active.rules(), 1, rules -> {
                    MatchedRequest request = rules.apply(selection, rules.attributes.values(attributes), permits)
                            .estimated();
                    return stores.reserveAsync(request, ttl, future).thenApply(reserved -> {
                        String text =
                                reserved.text() == null ? null : reserved.text().toString();
                        if (text != null) {
                            future.charged(() -> settleAsync(text, 0));
                        }
                        request.count(reserved.decision(), requests, top);
                        timer.stop(started);
                        return made.apply(reserved.decision(), text);
                    });
                })
                .whenComplete(future::finish);
        return future;
    }

    /** See {@link PolicyEngine#settleAsync(String, long)}. */
    public CompletionStage<PolicyDecision> settleAsync(String text, long actual) {
        ReservationText reservation;
        try {
            reservation = ReservationText.parse(text);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
        String sharedId = reservation.shared();
        String ownId = reservation.own();
        CompletionStage<List<SettledCharge>> onShared = sharedId == null
                ? CompletableFuture.completedFuture(List.of())
                : shared.settleAsync(sharedId, actual, this::keptNow);
        return onShared.thenCompose(settled -> ownId == null
                        ? CompletableFuture.completedFuture(settled)
                        : own.settleAsync(ownId, actual, this::keptNow).handle((here, failure) -> {
                            if (failure == null) {
                                List<SettledCharge> both = new ArrayList<>(settled);
                                both.addAll(here);
                                return both;
                            }
                            // Another process has made the reservation: the estimate stays charged in its memory.
                            if (sharedId != null && cause(failure) instanceof ReservationEndedException) {
                                return settled;
                            }
                            throw new CompletionException(cause(failure));
                        }))
                .thenCompose(settled -> withOverrides(active.rules(), settled))
                .thenApply(settled -> decision(active.rules(), settled));
    }

    /** The answer is that of a look, so a limit or a reserve that was reloaded since counts as it is now. */
    private long keptNow(String limiter, long then) {
        if (then > 0) {
            for (Rule rule : active.rules().rules) {
                for (PolicyLimit limit : (Iterable<PolicyLimit>) rule.limits()::iterator) {
                    if (limit.limiter() != null && limit.limiter().name().equals(limiter)) {
                        return limit.kept();
                    }
                }
            }
        }
        return then;
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    @FunctionalInterface
    private interface EachSettled {
        /** @param at the index of the charge on the limit */
        void accept(Rule rule, PolicyLimit limit, int at);
    }

    /** The policies that still exist, in their order. */
    private static void forEach(Ruleset rules, List<SettledCharge> settled, EachSettled action) {
        Map<String, Integer> byLimiter = new HashMap<>();
        for (int i = 0; i < settled.size(); i++) {
            byLimiter.put(settled.get(i).limiter(), i);
        }
        for (Rule rule : rules.rules) {
            rule.limits().forEach(limit -> {
                Integer at = limit.limiter() == null
                        ? null
                        : byLimiter.get(limit.limiter().name());
                if (at != null) {
                    action.accept(rule, limit, at);
                }
            });
        }
    }

    /** Adds the charges of temporary overrides that have begun since the estimate was charged, each before that of its policy. */
    private CompletionStage<List<SettledCharge>> withOverrides(Ruleset rules, List<SettledCharge> settled) {
        Map<Integer, CompletableFuture<SettledCharge>> begun = new HashMap<>();
        if (temporaries.areThere()) {
            forEach(rules, settled, (rule, limit, at) -> {
                TemporaryLimit temporary = rule.temporaryFor(settled.get(at).key());
                boolean known = temporary != null
                        && at > 0
                        && settled.get(at - 1)
                                .limiter()
                                .equals(temporary.calls().name());
                if (temporary != null
                        && !known
                        && PolicyLimit.isCounted(temporary.override().limit())) {
                    begun.put(
                            at,
                            temporaries
                                    .settle(rule, temporary, limit, settled.get(at))
                                    .toCompletableFuture());
                }
            });
        }
        if (begun.isEmpty()) {
            return CompletableFuture.completedFuture(settled);
        }
        return CompletableFuture.allOf(begun.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(unused -> {
                    List<SettledCharge> all = new ArrayList<>(settled.size() + begun.size());
                    for (int i = 0; i < settled.size(); i++) {
                        CompletableFuture<SettledCharge> before = begun.get(i);
                        if (before != null) {
                            all.add(before.join());
                        }
                        all.add(settled.get(i));
                    }
                    return all;
                });
    }

    private PolicyDecision decision(Ruleset rules, List<SettledCharge> settled) {
        List<PolicyResult> results = new ArrayList<>(settled.size());
        forEach(
                rules,
                settled,
                (rule, limit, at) ->
                        results.add(result(rule, limit, settled.get(at), at == 0 ? null : settled.get(at - 1))));
        return PolicyDecision.of(results.toArray(PolicyResult[]::new));
    }

    /** @param before the charge before it, which may be that of a temporary override of its key */
    private PolicyResult result(Rule rule, PolicyLimit limit, SettledCharge ofPolicy, @Nullable SettledCharge before) {
        TemporaryLimit temporary = rule.temporaryFor(ofPolicy.key());
        PolicyLimit inForce = limit;
        SettledCharge charge = ofPolicy;
        if (temporary != null) {
            PolicyLimit instead = limit.temporarily(temporary, rule.policy.reserve());
            if (instead.isConstant()) {
                inForce = instead;
            } else if (before != null
                    && before.limiter().equals(temporary.calls().name())) {
                inForce = instead;
                charge = before;
            }
        }
        Decision decision = inForce.isConstant() ? inForce.constant() : charge.decision();
        if (charge.more() > 0) {
            rule.counters.countByForce(charge.more(), decision);
            requests.countByForce(charge.more(), decision);
        }
        Map<String, String> key = KeyParser.parse(rule.policy.key(), ofPolicy.key());
        return new PolicyResult(
                rule.policy.name(), key == null ? Map.of() : key, inForce.limit(), rule.policy.mode(), decision);
    }
}
