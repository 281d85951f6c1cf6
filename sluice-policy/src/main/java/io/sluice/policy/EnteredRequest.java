package io.sluice.policy;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The answer to a request that enters, for callers that renew and release its permits themselves, see {@link
 * PolicyEngine#hold(java.util.Map, long)}.
 *
 * @param decision the decision on the request
 * @param holds names the permits that are held, for {@link PolicyEngine#release} and {@link PolicyEngine#renew}. Empty if the
 *     request was denied, if no concurrency policy applies, or if the store did not answer.
 * @param renewEvery how often the permits should be renewed, a third of the shortest time for which one lasts; zero if nothing is held
 */
public record EnteredRequest(PolicyDecision decision, Optional<String> holds, Duration renewEvery) {
    public EnteredRequest {
        Objects.requireNonNull(decision, "decision");
        Objects.requireNonNull(holds, "holds");
        Objects.requireNonNull(renewEvery, "renewEvery");
    }

    /** A request that holds nothing. */
    public static EnteredRequest withoutHolds(PolicyDecision decision) {
        return new EnteredRequest(decision, Optional.empty(), Duration.ZERO);
    }

    /** {@link PolicyDecision#toJson()}, with {@code "holds"} as its last field if something is held. */
    public String toJson() {
        StringBuilder out = new StringBuilder();
        appendJson(out);
        return out.toString();
    }

    /** Appends {@link #toJson()}. */
    public void appendJson(StringBuilder out) {
        decision.appendJson(out);
        if (holds.isPresent()) {
            out.setLength(out.length() - 1);
            JsonText.appendQuoted(out.append(",\"holds\":"), holds.get());
            out.append('}');
        }
    }
}
