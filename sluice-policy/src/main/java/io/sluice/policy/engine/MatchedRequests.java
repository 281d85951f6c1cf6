package io.sluice.policy.engine;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyDecisions;
import io.sluice.policy.PolicyRequest;
import io.sluice.policy.metrics.PolicyCounters;
import io.sluice.policy.top.TopKeyCounter;
import io.sluice.spi.PolicyCharge;
import java.util.ArrayList;
import java.util.List;

/**
 * Several requests and further charges that are decided together. Each has its own verdict; all are charged, or none.
 */
final class MatchedRequests implements Chargeable<PolicyDecisions> {
    private final List<MatchedRequest> requests;
    private final List<Charge> also;

    private MatchedRequests(List<MatchedRequest> requests, List<Charge> also) {
        this.requests = requests;
        this.also = also;
    }

    /** @param also further charges on the shared store */
    static MatchedRequests of(Ruleset rules, List<PolicyRequest> requests, List<Charge> also) {
        List<MatchedRequest> matched = new ArrayList<>(requests.size());
        for (PolicyRequest request : requests) {
            matched.add(
                    rules.applyWithoutConcurrency(rules.attributes.values(request.attributes()), request.permits()));
        }
        return new MatchedRequests(matched, also);
    }

    @Override
    public boolean isBlocked() {
        for (MatchedRequest request : requests) {
            if (request.isBlocked()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<Charge> charges(boolean shared) {
        if (requests.size() == 1 && also.isEmpty()) {
            return requests.get(0).charges(shared);
        }
        List<Charge> charges = new ArrayList<>();
        for (MatchedRequest request : requests) {
            charges.addAll(request.charges(shared));
        }
        if (shared) {
            charges.addAll(also);
        }
        return charges;
    }

    @Override
    public PolicyDecisions decision(List<Decision> shared, List<Decision> own) {
        boolean allowed = true;
        List<PolicyDecision> each = new ArrayList<>(requests.size());
        int nextShared = 0;
        int nextOwn = 0;
        for (MatchedRequest request : requests) {
            int endShared = nextShared + request.chargeCount(true);
            int endOwn = nextOwn + request.chargeCount(false);
            PolicyDecision decision =
                    request.decision(shared.subList(nextShared, endShared), own.subList(nextOwn, endOwn));
            allowed &= decision.allowed();
            each.add(decision);
            nextShared = endShared;
            nextOwn = endOwn;
        }
        List<Decision> further = shared.subList(nextShared, nextShared + also.size());
        for (int i = 0; i < further.size(); i++) {
            allowed &= further.get(i).allowed() || PolicyCharge.isShadow(also.get(i));
        }
        return new PolicyDecisions(allowed, each, further);
    }

    /** Counts the decisions: all requests together as one request, and each policy as often as it applied. */
    void count(PolicyDecisions decisions, PolicyCounters counters, TopKeyCounter top) {
        boolean shadowDenied = false;
        boolean degraded = false;
        boolean noPermits = true;
        for (int i = 0; i < requests.size(); i++) {
            MatchedRequest request = requests.get(i);
            PolicyDecision decision = decisions.each().get(i);
            if (request.permits() > 0) {
                noPermits = false;
                shadowDenied |= request.countEach(decision, decisions.allowed(), counters, top, requests.subList(0, i));
                degraded |= decision.degraded();
            }
        }
        for (int i = 0; i < also.size(); i++) {
            noPermits &= also.get(i).permits() == 0;
            degraded |= decisions.also().get(i).degraded();
        }
        if (!noPermits) {
            counters.count(decisions.allowed(), shadowDenied, degraded);
        }
    }
}
