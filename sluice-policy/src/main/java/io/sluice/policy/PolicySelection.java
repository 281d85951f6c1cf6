package io.sluice.policy;

import java.util.Set;

/**
 * Selects the policies that a request is decided by. The others are ignored, as if they did not match. Immutable.
 *
 * <pre>{@code
 * engine.check(PolicySelection.only("per-user"), Map.of("user", "ada"), 1);
 * }</pre>
 */
public final class PolicySelection {
    private static final PolicySelection ALL = new PolicySelection(Set.of(), false);

    private final Set<String> names;
    private final boolean only;

    private PolicySelection(Set<String> names, boolean only) {
        this.names = names;
        this.only = only;
    }

    /** All policies. */
    public static PolicySelection all() {
        return ALL;
    }

    /** The policies with these names. */
    public static PolicySelection only(String... names) {
        return new PolicySelection(Set.of(names), true);
    }

    /** All policies but those with these names. */
    public static PolicySelection except(Set<String> names) {
        return names.isEmpty() ? ALL : new PolicySelection(Set.copyOf(names), false);
    }

    /** Whether the policy with this name is selected. */
    public boolean includes(String policy) {
        return this == ALL || names.contains(policy) == only;
    }

    @Override
    public String toString() {
        return this == ALL ? "all" : (only ? "only " : "all except ") + names;
    }
}
