package io.sluice.policy;

import io.sluice.Decision;
import java.util.List;

/**
 * The decision on several requests that were decided together.
 *
 * @param allowed whether all requests were allowed and charged; else none was charged
 * @param each the decision on each request, in order; its {@code allowed} is the verdict of its own policies only
 * @param also the decision on each further charge, in order
 */
public record PolicyDecisions(boolean allowed, List<PolicyDecision> each, List<Decision> also) {
    public PolicyDecisions {
        each = List.copyOf(each);
        also = List.copyOf(also);
    }
}
