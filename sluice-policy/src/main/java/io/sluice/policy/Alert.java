package io.sluice.policy;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An alert of a policy file: it fires while a condition on the counts of decisions holds.
 *
 * @param name the name in logs and notifications
 * @param policy the policy whose decisions it watches; null for all requests
 * @param when the condition
 * @param over the period over which decisions are counted
 * @param atLeast the minimum number of decisions in that period
 * @param targets the file's {@code notify}: {@code log}, or URLs that the service posts to
 */
public record Alert(
        String name, @Nullable String policy, AlertCondition when, Duration over, long atLeast, List<String> targets) {
    public Alert {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(when, "when");
        Objects.requireNonNull(over, "over");
        targets = List.copyOf(targets);
    }
}
