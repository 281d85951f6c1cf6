package io.sluice.spring.metrics;

import io.micrometer.observation.Observation;
import io.sluice.policy.PolicyDecision;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an observation knows of a decision: where it is made and, once it is made, the decision itself. */
public final class DecisionContext extends Observation.Context {
    private final String surface;
    private volatile @Nullable PolicyDecision decision;

    DecisionContext(String surface) {
        this.surface = Objects.requireNonNull(surface, "surface");
    }

    /** Where the decision is made: {@code web}, {@code method}, {@code client} or {@code gateway}. */
    public String surface() {
        return surface;
    }

    /** The decision; null before it is made, and if the call fails or is cancelled. */
    public @Nullable PolicyDecision decision() {
        return decision;
    }

    void decided(PolicyDecision decision) {
        this.decision = decision;
    }
}
