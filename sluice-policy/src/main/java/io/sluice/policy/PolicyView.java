package io.sluice.policy;

import java.util.Optional;

/**
 * The policies that decide at one moment, for who has to look at them before it asks: what was matched by them is decided by them,
 * see {@link PolicyEngine#checkAsync(PolicyView, java.util.List, java.util.List)}. Immutable.
 */
public final class PolicyView {
    final Ruleset rules;

    /** How many views before this one were outdated, for one request. */
    final int tries;

    PolicyView(Ruleset rules, int tries) {
        this.rules = rules;
        this.tries = tries;
    }

    /** The policies. */
    public Policies policies() {
        return rules.policies;
    }

    /** Which version they are, see {@link PolicyEngine#version()}. */
    public long version() {
        return rules.version;
    }

    /** The files of envoyproxy/ratelimit that the policies come from, if they do. */
    public Optional<EnvoyConfig> envoy() {
        return Optional.ofNullable(rules.envoy);
    }
}
