package io.sluice.policy;

import java.util.Map;
import java.util.Objects;

/**
 * A request that is decided together with others by {@link PolicyEngine#check(java.util.List, java.util.List)}.
 *
 * @param attributes the attributes of the request
 * @param permits the cost of the request; 0 charges nothing
 */
public record PolicyRequest(Map<String, String> attributes, long permits) {
    public PolicyRequest {
        Objects.requireNonNull(attributes, "attributes");
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
    }
}
