package io.sluice.spring;

import io.sluice.RateLimitedException;
import io.sluice.policy.PolicyDecision;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Surrounds every decision that the starter makes, for observations. Replace the bean to see them yourself. By default it does
 * nothing, or makes an observation if the application has an {@code ObservationRegistry}. Thread-safe.
 */
public interface DecisionObserver {
    /** Observes nothing. */
    DecisionObserver NONE = new DecisionObserver() {};

    /**
     * Makes a decision.
     *
     * @param surface where the decision is made: {@code web}, {@code method}, {@code client} or {@code gateway}
     */
    default PolicyDecision observe(String surface, Supplier<PolicyDecision> decision) {
        return decision.get();
    }

    /**
     * Makes a decision without blocking. The returned stage must be that of the decision, because cancelling its future gives the
     * permits back.
     */
    default CompletionStage<PolicyDecision> observeAsync(
            String surface, Supplier<CompletionStage<PolicyDecision>> decision) {
        return decision.get();
    }

    /**
     * Waits for permits without blocking. The stage completes when the wait is over. It may fail with {@link
     * RateLimitedException}, which is a denial. The returned stage must be that of the wait, because cancelling its future ends the
     * wait.
     *
     * @param denial the denial in the result of the wait; null if the permits are taken
     */
    default <T extends @Nullable Object> CompletionStage<T> observeWait(
            String surface, Supplier<CompletionStage<T>> wait, Function<T, @Nullable RateLimitedException> denial) {
        return wait.get();
    }
}
