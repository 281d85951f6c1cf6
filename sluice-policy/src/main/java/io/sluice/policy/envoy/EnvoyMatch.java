package io.sluice.policy.envoy;

import io.sluice.policy.PolicyEngine;
import java.util.Map;

/**
 * The rule that a descriptor matches.
 *
 * @param rule the rule
 * @param attributes the attributes for {@link PolicyEngine#check}: the rule, and the values that it leaves open
 */
public record EnvoyMatch(EnvoyRule rule, Map<String, String> attributes) {
    public EnvoyMatch {
        attributes = Map.copyOf(attributes);
    }
}
