package io.sluice.spring.cost;

import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicySelection;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.RequestCost;
import io.sluice.spring.web.RequestScope;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/*
 * The attributes are copied while the request is there: a server uses its request objects again for other requests, and a cost may be
 * charged after the response.
 */
/** Charges requests on the policies of {@code sluice.web.costs}. Thread-safe. */
final class RequestCosts {
    private static final Log LOG = LogFactory.getLog("io.sluice.spring");

    private final PolicyEngine engine;
    private final PolicySelection policies;
    private final DecisionObserver observer;

    RequestCosts(PolicyEngine engine, PolicySelection policies, DecisionObserver observer) {
        this.engine = engine;
        this.policies = policies;
        this.observer = observer;
    }

    PolicyDecision charge(RequestScope scope, long permits) {
        return observer.observe("web", () -> engine.charge(policies, scope.attributes(), permits));
    }

    CompletionStage<PolicyDecision> chargeAsync(RequestScope scope, long permits) {
        return chargeAsync(copy(scope), permits);
    }

    private CompletionStage<PolicyDecision> chargeAsync(Map<String, String> attributes, long permits) {
        return observer.observeAsync("web", () -> engine.chargeAsync(policies, attributes, permits));
    }

    /** A cost that is charged at the end of the scope. */
    RequestCost cost(RequestScope scope) {
        Map<String, String> attributes = copy(scope);
        GrowingCost cost =
                new GrowingCost(permits -> chargeAsync(attributes, permits).whenComplete((decision, failure) -> {
                    if (failure != null) {
                        LOG.warn("the cost of a request is lost: " + permits + " permits", failure);
                    }
                }));
        scope.onEnd(end -> cost.end());
        return cost;
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
