package io.sluice.spring.cost;

import io.sluice.RateLimitedException;
import io.sluice.ReservationEndedException;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyReservation;
import io.sluice.policy.PolicyResult;
import io.sluice.policy.PolicySelection;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.RequestCost;
import io.sluice.spring.web.RequestScope;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/*
 * The attributes are copied while the request is there: a server uses its request objects again for other requests, and a cost may be
 * charged after the response.
 */
/** Charges requests on the policies of {@code sluice.web.costs}. Thread-safe. */
final class RequestCosts {
    private static final Log LOG = LogFactory.getLog("io.sluice.spring");

    /** The longest that there is: a response may take long, and a process that dies leaves the estimate charged in any case. */
    private static final Duration TTL = Duration.ofHours(1);

    private final PolicyEngine engine;
    private final Supplier<PolicySelection> policies;
    private final DecisionObserver observer;

    RequestCosts(PolicyEngine engine, Supplier<PolicySelection> policies, DecisionObserver observer) {
        this.engine = engine;
        this.policies = policies;
        this.observer = observer;
    }

    PolicyDecision charge(RequestScope scope, long permits) {
        return observer.observe("web", () -> engine.charge(policies.get(), scope.attributes(), permits));
    }

    CompletionStage<PolicyDecision> chargeAsync(RequestScope scope, long permits) {
        return chargeAsync(copy(scope), permits);
    }

    private CompletionStage<PolicyDecision> chargeAsync(Map<String, String> attributes, long permits) {
        return observer.observeAsync("web", () -> engine.chargeAsync(policies.get(), attributes, permits));
    }

    /** A cost that is charged at the end of the scope. */
    RequestCost cost(RequestScope scope) {
        Map<String, String> attributes = copy(scope);
        GrowingCost cost = new GrowingCost(permits -> chargeLater(attributes, permits));
        scope.onEnd(end -> cost.end());
        return cost;
    }

    private void chargeLater(Map<String, String> attributes, long permits) {
        chargeAsync(attributes, permits).whenComplete((decision, failure) -> {
            if (failure != null) {
                LOG.warn("the cost of a request is lost: " + permits + " permits", failure);
            }
        });
    }

    /** {@link #reserveAsync}, on this thread. */
    RequestCost reserve(RequestScope scope, long estimate) {
        try {
            return reserveAsync(scope, estimate).toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /**
     * Charges an estimate, and settles it at the end of the scope. If the request ends before the estimate is charged, it is given back
     * right after. The stage fails with {@link RateLimitedException} if the estimate is denied.
     */
    CompletionStage<RequestCost> reserveAsync(RequestScope scope, long estimate) {
        Map<String, String> attributes = copy(scope);
        AtomicReference<@Nullable PolicyReservation> reserved = new AtomicReference<>();
        return observer.observeAsync(
                        "web",
                        () -> engine.reserveAsync(policies.get(), attributes, estimate, TTL)
                                .thenApply(reservation -> {
                                    reserved.set(reservation);
                                    return reservation.decision();
                                }))
                .thenApply(decision -> {
                    PolicyReservation reservation =
                            Objects.requireNonNull(reserved.get(), "the observer has made no decision");
                    if (!reservation.allowed()) {
                        throw denial(reservation.decision(), estimate);
                    }
                    GrowingCost cost = new GrowingCost(
                            permits -> chargeLater(attributes, permits),
                            actual -> settle(reservation, attributes, estimate, actual));
                    scope.onEnd(end -> cost.end());
                    return cost;
                });
    }

    private static RateLimitedException denial(PolicyDecision decision, long permits) {
        PolicyResult denied = decision.results().stream()
                .filter(PolicyResult::isViolated)
                .findFirst()
                .orElseThrow();
        return new RateLimitedException(
                denied.policy(), String.join(", ", denied.key().values()), permits, denied.decision());
    }

    private void settle(PolicyReservation reservation, Map<String, String> attributes, long estimate, long actual) {
        if (reservation.text().isEmpty()) {
            // It was allowed without the store, which therefore has nothing to settle.
            chargeRest(attributes, estimate, actual);
            return;
        }
        reservation.settleAsync(actual).whenComplete((decision, failure) -> {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            if (cause instanceof ReservationEndedException) {
                chargeRest(attributes, estimate, actual);
            } else if (cause != null) {
                LOG.warn(
                        "the cost of a request is lost: " + actual + " permits. Its estimate of " + estimate
                                + " stays charged",
                        cause);
            }
        });
    }

    /** The estimate stays charged. */
    private void chargeRest(Map<String, String> attributes, long estimate, long actual) {
        if (actual > estimate) {
            chargeLater(attributes, actual - estimate);
        }
    }

    private Map<String, String> copy(RequestScope scope) {
        Map<String, String> copy = new HashMap<>();
        for (String name : engine.attributes()) {
            String value = scope.attributes().get(name);
            if (value != null) {
                copy.put(name, value);
            }
        }
        return copy;
    }
}
