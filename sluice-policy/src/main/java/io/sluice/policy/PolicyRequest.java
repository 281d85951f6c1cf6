package io.sluice.policy;

import java.util.Map;
import java.util.Objects;

/**
 * A request that is decided together with others by {@link PolicyEngine#check(java.util.List, java.util.List)}.
 *
 * @param attributes what is known of it
 * @param permits what it costs; 0 only looks
 */
public record PolicyRequest(Map<String, String> attributes, long permits) {
    public PolicyRequest {
        Objects.requireNonNull(attributes, "attributes");
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
    }
}
