package io.sluice.spring.cost;

import io.sluice.policy.PolicyDecision;
import io.sluice.spring.RequestCost;
import io.sluice.spring.Sluice;
import io.sluice.spring.web.RequestScope;
import java.util.concurrent.CompletionStage;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/** Finds the request by the thread, as Spring MVC does. */
final class ThreadSluice implements Sluice {
    private final RequestCosts costs;

    ThreadSluice(RequestCosts costs) {
        this.costs = costs;
    }

    @Override
    public PolicyDecision charge(long permits) {
        return costs.charge(scope(), permits);
    }

    @Override
    public CompletionStage<PolicyDecision> chargeAsync(long permits) {
        return costs.chargeAsync(scope(), permits);
    }

    @Override
    public RequestCost cost() {
        return costs.cost(scope());
    }

    @Override
    public RequestCost reserve(long estimate) {
        return costs.reserve(scope(), estimate);
    }

    private static RequestScope scope() {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        if (request != null
                && request.getAttribute(RequestScope.ATTRIBUTE, RequestAttributes.SCOPE_REQUEST)
                        instanceof RequestScope scope) {
            return scope;
        }
        throw new IllegalStateException("thread " + Thread.currentThread().getName()
                + " answers no HTTP request (expected: a call on the thread of a request; on another thread, use the"
                + " RequestCost that Sluice.cost() or reserve() returned on the thread of the request)");
    }
}
