package io.sluice.server.simulate;

import io.sluice.Limit;
import io.sluice.policy.Mode;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;

/** What a simulation can decide. A trace says when requests come, but not when they leave. */
public final class Simulatable {
    private static final String REASON =
            " (expected: a limit on arrivals, such as 600/min; recorded requests do not say how long each"
                    + " was in flight)";

    private Simulatable() {}

    /**
     * Returns the limit.
     *
     * @throws IllegalArgumentException if it is on what is in flight
     */
    public static Limit require(Limit limit) {
        if (limit.algorithm().holds()) {
            throw new IllegalArgumentException("limit: " + limit + REASON);
        }
        return limit;
    }

    /**
     * Returns the policies.
     *
     * @throws IllegalArgumentException if one that is not off limits what is in flight
     */
    public static Policies require(Policies policies) {
        for (Policy policy : policies.policies()) {
            if (policy.mode() != Mode.OFF && policy.limitsConcurrency()) {
                throw new IllegalArgumentException("policy \"" + policy.name() + "\": limits concurrency" + REASON);
            }
        }
        return policies;
    }
}
