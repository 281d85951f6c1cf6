package io.sluice.spring;

import io.sluice.policy.PolicySelection;
import java.util.Set;
import java.util.TreeSet;

/**
 * The policies that {@code @RateLimited} and clients name. A policy is charged in one place: where it is named, or else by the filters
 * for HTTP requests. Thread-safe.
 */
public final class NamedPolicies {
    private final Set<String> names = new TreeSet<>();
    private volatile PolicySelection others = PolicySelection.all();

    /** An annotation or a client names a policy. */
    public void add(String policy) {
        synchronized (names) {
            if (names.add(policy)) {
                others = PolicySelection.except(names);
            }
        }
    }

    /** Whether a policy is named. */
    public boolean contains(String policy) {
        return !others.includes(policy);
    }

    /** The policies that nobody names. */
    public PolicySelection others() {
        return others;
    }
}
