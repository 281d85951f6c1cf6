package io.sluice.policy.envoy;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A rate limit of an {@link EnvoyConfig}, as an answer to Envoy tells it.
 *
 * @param policy the name of the policy that decides it, made of the domain, keys and values
 * @param name the {@code name} of its {@code rate_limit}, if it has one
 * @param replaces the names of the rules that do not count in a call that this one matches
 * @param requestsPerUnit how many requests; 0 if it is unlimited
 * @param unit in which time; null if it is unlimited
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

    /** Whether it limits nothing. */
    public boolean unlimited() {
        return unit == null;
    }
}
