package io.sluice.policy;

import io.sluice.Decision;
import java.util.List;

/**
 * What was said to several requests that were decided together.
 *
 * @param allowed whether all were allowed, and so all were charged; else none was
 * @param each what the policies said to each request, in order; its {@code allowed} is of its own policies alone
 * @param also what was said to each further charge, in order
 */
public record PolicyDecisions(boolean allowed, List<PolicyDecision> each, List<Decision> also) {
    public PolicyDecisions {
        each = List.copyOf(each);
        also = List.copyOf(also);
    }
}
