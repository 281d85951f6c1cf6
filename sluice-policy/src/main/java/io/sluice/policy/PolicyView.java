package io.sluice.policy;

import io.sluice.policy.engine.Ruleset;
import io.sluice.policy.envoy.EnvoyConfig;
import java.util.Optional;

/**
 * One version of the policies, for callers that have to look at the policies before they make a request. A request that
 * was matched by a view is decided by the same policies, see {@link PolicyEngine#checkAsync(PolicyView, java.util.List,
 * java.util.List)}. Immutable.
 */
public final class PolicyView {
    final Ruleset rules;

    /** The number of this try, from 1: each outdated view of the same request was a try. */
    final int tries;

    PolicyView(Ruleset rules, int tries) {
        this.rules = rules;
        this.tries = tries;
    }

    public Policies policies() {
        return rules.policies();
    }

    /** See {@link PolicyEngine#version()}. */
    public long version() {
        return rules.version();
    }

    /** The envoyproxy/ratelimit files that the policies come from; empty if they come from elsewhere. */
    public Optional<EnvoyConfig> envoy() {
        return Optional.ofNullable(rules.envoy());
    }
}
