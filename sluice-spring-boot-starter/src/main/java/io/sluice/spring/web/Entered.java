package io.sluice.spring.web;

import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyPermit;

/**
 * A request that has entered, or was denied.
 *
 * @param decision the decision of all policies
 * @param permit what the request holds
 */
public record Entered(PolicyDecision decision, PolicyPermit permit) {
    /** The scope that the request is answered in. What the request holds is released when that ends. */
    public RequestScope scope(RequestAttributes attributes) {
        RequestScope scope = new RequestScope(attributes, decision);
        if (permit.isHeld()) {
            scope.onEnd(end -> permit.closeAsync());
        }
        return scope;
    }
}
