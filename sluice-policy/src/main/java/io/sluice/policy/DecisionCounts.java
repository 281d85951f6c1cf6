package io.sluice.policy;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The number of decisions of an engine.
 *
 * @param requests the decisions on requests, by all policies together
 * @param policies the decisions of each policy, by its name; also of policies that no longer exist
 */
public record DecisionCounts(Counts requests, Map<String, Counts> policies) {
    public DecisionCounts {
        policies = Collections.unmodifiableMap(new TreeMap<>(policies));
    }

    /** The decisions since an earlier reading. */
    public DecisionCounts since(DecisionCounts earlier) {
        Map<String, Counts> each = new TreeMap<>();
        policies.forEach(
                (name, counts) -> each.put(name, counts.since(earlier.policies.getOrDefault(name, Counts.NONE))));
        return new DecisionCounts(requests.since(earlier.requests), each);
    }
}
