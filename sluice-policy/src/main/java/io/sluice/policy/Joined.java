package io.sluice.policy;

import io.sluice.Charge;
import io.sluice.Decision;
import io.sluice.spi.PolicyCharge;
import java.util.ArrayList;
import java.util.List;

/** Several requests and further charges as one: each has its own verdict, and all are charged or none. */
final class Joined implements Asked<PolicyDecisions> {
    private final List<Applied> requests;
    private final List<Charge> also;

    /** @param also charges on the shared store */
    Joined(List<Applied> requests, List<Charge> also) {
        this.requests = requests;
        this.also = also;
    }

    static Joined of(Ruleset rules, List<PolicyRequest> requests, List<Charge> also) {
        List<Applied> applied = new ArrayList<>(requests.size());
        for (PolicyRequest request : requests) {
            applied.add(rules.apply(rules.attributes.values(request.attributes()), request.permits()));
        }
        return new Joined(applied, also);
    }

    @Override
    public boolean isBlocked() {
        for (Applied request : requests) {
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
        for (Applied request : requests) {
            charges.addAll(request.charges(shared));
        }
        if (shared) {
            charges.addAll(also);
        }
        return charges;
    }

    @Override
    public PolicyDecisions decision(List<Decision> shared, List<Decision> ours) {
        boolean allowed = true;
        List<PolicyDecision> each = new ArrayList<>(requests.size());
        int nextShared = 0;
        int nextOurs = 0;
        for (Applied request : requests) {
            int endShared = nextShared + request.counted(true);
            int endOurs = nextOurs + request.counted(false);
            PolicyDecision decision =
                    request.decision(shared.subList(nextShared, endShared), ours.subList(nextOurs, endOurs));
            allowed &= decision.allowed();
            each.add(decision);
            nextShared = endShared;
            nextOurs = endOurs;
        }
        List<Decision> further = shared.subList(nextShared, nextShared + also.size());
        for (int i = 0; i < further.size(); i++) {
            allowed &= further.get(i).allowed() || PolicyCharge.isShadow(also.get(i));
        }
        return new PolicyDecisions(allowed, each, further);
    }

    /** Notes what was said: all of them are one request, of which each policy is noted as often as it applied. */
    void count(PolicyDecisions decisions, PolicyCounters counters, TopKeys top) {
        boolean shadowed = false;
        boolean degraded = false;
        boolean looks = true;
        for (int i = 0; i < requests.size(); i++) {
            Applied request = requests.get(i);
            PolicyDecision decision = decisions.each().get(i);
            if (request.permits() > 0) {
                looks = false;
                shadowed |= request.countEach(decision, top);
                degraded |= decision.degraded();
            }
        }
        for (int i = 0; i < also.size(); i++) {
            looks &= also.get(i).permits() == 0;
            degraded |= decisions.also().get(i).degraded();
        }
        if (!looks) {
            counters.count(decisions.allowed(), shadowed, degraded);
        }
    }
}
