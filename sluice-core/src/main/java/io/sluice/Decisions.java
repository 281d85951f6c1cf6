package io.sluice;

import java.time.Duration;
import java.util.List;

/**
 * The answer to several charges that were decided together. In each decision, {@code allowed} is the verdict on the state before
 * the request. {@code remaining} and {@code resetAfter} describe the state after it.
 *
 * @param allowed whether the whole request is allowed, so that all charges were taken. Shadow charges do not count.
 * @param each one decision for each charge, in the order of the charges
 */
public record Decisions(boolean allowed, List<Decision> each) {
    public Decisions {
        each = List.copyOf(each);
    }

    /** The longest {@link Decision#retryAfter()} of the decisions. Do not use it with shadow charges. */
    public Duration retryAfter() {
        return together().retryAfter();
    }

    /** The longest {@link Decision#delay()} of the decisions, if allowed; else 0. Do not use it with shadow charges. */
    public Duration delay() {
        return together().delay();
    }

    /** All decisions as one: in every field the strictest. Do not use it with shadow charges. */
    public Decision together() {
        return each.stream().reduce(Decision::and).orElse(Decision.UNLIMITED);
    }
}
