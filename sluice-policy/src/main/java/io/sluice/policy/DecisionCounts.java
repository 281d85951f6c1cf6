package io.sluice.policy;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many decisions there were.
 *
 * @param requests what requests were told, by all policies together
 * @param policies what each policy said, by its name; those that are no more included
 */
public record DecisionCounts(Counts requests, Map<String, Counts> policies) {
    public DecisionCounts {
        policies = Collections.unmodifiableMap(new TreeMap<>(policies));
    }

    /** What came since then. */
    public DecisionCounts since(DecisionCounts earlier) {
        Map<String, Counts> each = new TreeMap<>();
        policies.forEach(
                (name, counts) -> each.put(name, counts.since(earlier.policies.getOrDefault(name, Counts.NONE))));
        return new DecisionCounts(requests.since(earlier.requests), each);
    }
}
