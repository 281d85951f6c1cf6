package io.sluice;

import java.util.List;

/**
 * The answer to several charges that were decided together. Each verdict is on the state before the request; each
 * {@code remaining} and {@code resetAfter} on the state after it.
 *
 * @param each one decision for each charge, in the order of the charges
 */
public record Decisions(List<Decision> each) {
    public Decisions {
        each = List.copyOf(each);
    }

    /** Whether every charge was allowed, and so all were taken. */
    public boolean allowed() {
        return each.stream().allMatch(Decision::allowed);
    }

    /** All as one: the strictest in every field. */
    public Decision together() {
        return each.stream().reduce(Decision::and).orElse(Decision.UNLIMITED);
    }
}
