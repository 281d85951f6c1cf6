package io.sluice.policy;

import io.sluice.Decision;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The decision on several requests that were decided together.
 *
 * @param allowed whether all requests were allowed and charged; else none was charged
 * @param each the decision on each request, in order; its {@code allowed} is the verdict of its own policies only
 * @param also the decision on each further charge, in order
 */
public record PolicyDecisions(boolean allowed, List<PolicyDecision> each, List<Decision> also) {
    public PolicyDecisions {
        each = List.copyOf(each);
        also = List.copyOf(also);
    }

    /** How long to wait until all requests would be allowed together: the longest time of the decisions. */
    public Duration retryAfter() {
        return longest(PolicyDecision::retryAfter, Decision::retryAfter);
    }

    /** How long to wait before the permits may be used, if allowed: the longest time of the decisions; else 0. */
    public Duration delay() {
        return allowed ? longest(PolicyDecision::delay, Decision::delay) : Duration.ZERO;
    }

    private Duration longest(Function<PolicyDecision, Duration> ofRequest, Function<Decision, Duration> ofCharge) {
        return Stream.concat(each.stream().map(ofRequest), also.stream().map(ofCharge))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }
}
