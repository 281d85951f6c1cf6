package io.sluice.spring.gateway;

import io.sluice.policy.KeyPart;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.SluiceSettingsException;
import org.jspecify.annotations.Nullable;

/** The policies that routes name. Thread-safe. */
final class RoutePolicies {
    private static final String ROUTE = "route";

    private final PolicyEngine engine;
    private final NamedPolicies named;

    RoutePolicies(PolicyEngine engine, NamedPolicies named) {
        this.engine = engine;
        this.named = named;
    }

    /**
     * A route names a policy. Only routes that name it are charged on it.
     *
     * @param where the setting of the route
     * @throws SluiceSettingsException if there is no such policy
     */
    Policy require(String where, String name) {
        Policy policy = find(name);
        if (policy == null) {
            throw SluiceSettingsException.unknownPolicy(where, name, engine.policies());
        }
        if (!named.contains(name)) {
            named.add(name);
        }
        return policy;
    }

    /** {@link #require}, but null if the policy is gone and was there when a route named it. */
    @Nullable
    Policy requireOnce(String where, String name) {
        Policy policy = find(name);
        return policy == null && named.contains(name) ? null : require(where, name);
    }

    private @Nullable Policy find(String name) {
        for (Policy policy : engine.policies().policies()) {
            if (policy.name().equals(name)) {
                return policy;
            }
        }
        return null;
    }

    /**
     * The attribute of a policy's key whose value a key resolver gives: the only one beside {@code route}.
     *
     * @throws SluiceSettingsException if there is none, or more than one
     */
    static String keyAttribute(String where, Policy policy) {
        String found = null;
        int attributes = 0;
        for (KeyPart part : policy.key()) {
            if (!part.attribute().equals(ROUTE)) {
                found = part.attribute();
                attributes++;
            }
        }
        if (found == null || attributes > 1) {
            throw new SluiceSettingsException(
                    where + ": \"" + policy.name() + "\", with the key " + policy.key()
                            + " (expected: one attribute beside route, which gets the text of the key resolver)",
                    "Name a policy with one attribute in its key, or use the filter Sluice, which knows all attributes of a"
                            + " request.");
        }
        return found;
    }
}
