package io.sluice.policy;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * An estimate that was charged to every policy of a request, until the true cost is known. Thread-safe.
 *
 * <pre>{@code
 * PolicyReservation reservation = engine.reserve(attributes, 1000);
 * if (!reservation.allowed()) {
 *     throw new TooManyRequests(reservation.decision().retryAfter());
 * }
 * long tokens = answer(request);
 * reservation.settle(tokens);
 * }</pre>
 */
public final class PolicyReservation {
    /** How long a reservation can be settled, if the caller does not say it. */
    public static final Duration DEFAULT_TTL = Duration.ofMinutes(1);

    private final PolicyEngine engine;
    private final PolicyDecision decision;
    private final Optional<String> text;

    PolicyReservation(PolicyEngine engine, PolicyDecision decision, Optional<String> text) {
        this.engine = engine;
        this.decision = decision;
        this.text = text;
    }

    /** The decision on the estimate. If it was denied, nothing was charged. */
    public PolicyDecision decision() {
        return decision;
    }

    /** Whether the estimate was charged. */
    public boolean allowed() {
        return decision.allowed();
    }

    /** Names the reservation for {@link PolicyEngine#settle} in any process on the same store. Empty if it was denied. */
    public Optional<String> text() {
        return text;
    }

    /**
     * Replaces the estimate by the true cost. If that is more, the rest is charged now, even into debt. If it is less, the rest goes
     * back to where it came from.
     *
     * @param actual the true cost
     * @return the decision on a request for 0 permits, right after: denied while in debt
     * @throws IllegalStateException if the estimate was denied
     * @throws io.sluice.ReservationEndedException if it was settled or cancelled before, or its time is over
     * @throws io.sluice.StoreUnavailableException if the store does not answer; then try again
     */
    public PolicyDecision settle(long actual) {
        return engine.settle(requireText(), actual);
    }

    /** {@link #settle(long)} without blocking. */
    public CompletionStage<PolicyDecision> settleAsync(long actual) {
        return text.isPresent() ? engine.settleAsync(requireText(), actual) : CompletableFuture.failedFuture(denied());
    }

    /** Gives the estimate back, as {@code settle(0)} does. Does nothing if it was denied. */
    public void cancel() {
        if (text.isPresent()) {
            settle(0);
        }
    }

    /** {@link #cancel()} without blocking. */
    public CompletionStage<Void> cancelAsync() {
        return text.isPresent() ? settleAsync(0).thenAccept(unused -> {}) : CompletableFuture.completedFuture(null);
    }

    private String requireText() {
        return text.orElseThrow(PolicyReservation::denied);
    }

    private static IllegalStateException denied() {
        return new IllegalStateException("the estimate was denied (expected: allowed() before settle())");
    }
}
