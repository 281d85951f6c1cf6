package io.sluice.policy.envoy;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rate limit of an {@link EnvoyConfig}, with the values of a response to Envoy.
 *
 * @param policy the name of its policy, made of the domain, keys and values
 * @param name the {@code name} of its {@code rate_limit}, if any
 * @param replaces the names of the rules that are dropped in a call that this rule matches
 * @param requestsPerUnit the number of requests per unit; 0 if the rule is unlimited
 * @param unit the unit of time; null if the rule is unlimited
 */
public record EnvoyRule(
        String policy,
        @Nullable String name,
        List<String> replaces,
        long requestsPerUnit,
        @Nullable EnvoyUnit unit) {
    public EnvoyRule {
        Objects.requireNonNull(policy, "policy");
        replaces = List.copyOf(replaces);
    }

    /** Whether the rule has no limit. */
    public boolean unlimited() {
        return unit == null;
    }
}
