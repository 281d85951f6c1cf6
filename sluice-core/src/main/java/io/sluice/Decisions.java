package io.sluice;

import java.util.List;

/**
 * The answer to several charges that were decided together. Each verdict is on the state before the request; each
 * {@code remaining} and {@code resetAfter} on the state after it.
 *
 * @param allowed whether every charge that counts was allowed, and so all were taken
 * @param each one decision for each charge, in the order of the charges
 */
public record Decisions(boolean allowed, List<Decision> each) {
    public Decisions {
        each = List.copyOf(each);
    }

    /** All as one: the strictest in every field. For charges that all count. */
    public Decision together() {
        return each.stream().reduce(Decision::and).orElse(Decision.UNLIMITED);
    }
}
