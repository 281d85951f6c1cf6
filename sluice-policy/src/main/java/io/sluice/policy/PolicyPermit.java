package io.sluice.policy;

import io.sluice.Permit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request that enters, with what it holds. Close it when the work is done: then the permits of its concurrency
 * policies are free again. What it took from other policies stays used. Thread-safe.
 *
 * <pre>{@code
 * try (PolicyPermit permit = engine.enter(attributes)) {
 *     if (!permit.allowed()) {
 *         throw new TooManyRequests(permit.decision().retryAfter());
 *     }
 *     answer(request);
 * }
 * }</pre>
 *
 * <p>What it holds is renewed in the background while it is open and in use. If the process dies, or loses it without closing it,
 * the permits lapse, and others may take them.
 */
public final class PolicyPermit implements AutoCloseable {
    private static final CompletionStage<Void> NOTHING_TO_RELEASE = CompletableFuture.completedFuture(null);

    private final PolicyDecision decision;
    private final @Nullable RenewedHolds holds;
    private final @Nullable Permit permit;

    private PolicyPermit(PolicyDecision decision, @Nullable RenewedHolds holds, @Nullable Permit permit) {
        this.decision = decision;
        this.holds = holds;
        this.permit = permit;
    }

    /** A permit for a decision by which nothing is held. Closing it does nothing. */
    public static PolicyPermit withoutHolds(PolicyDecision decision) {
        return new PolicyPermit(decision, null, null);
    }

    static PolicyPermit of(PolicyDecision decision, @Nullable RenewedHolds holds) {
        return new PolicyPermit(decision, holds, null);
    }

    /** The permit of one limiter. */
    public static PolicyPermit of(PolicyDecision decision, Permit permit) {
        return new PolicyPermit(decision, null, permit);
    }

    /** The decision on the request. If it was denied, nothing was taken and nothing is held. */
    public PolicyDecision decision() {
        return decision;
    }

    /** Whether the request may go on. */
    public boolean allowed() {
        return decision.allowed();
    }

    /**
     * Whether it holds permits of concurrency policies, as far as this process knows. False after {@link #close}, and after they
     * lapsed, for example because the process stood still for longer than the {@code hold} of a limit.
     */
    public boolean isHeld() {
        return holds != null ? holds.isHeld() : permit != null && permit.isHeld();
    }

    /**
     * Releases what it holds. Only the first call has an effect. It never throws because the store does not answer: then the permits
     * lapse.
     */
    @Override
    public void close() {
        closeAsync().toCompletableFuture().join();
    }

    /** {@link #close} without blocking. Completes when the store has answered, or without its answer. */
    public CompletionStage<Void> closeAsync() {
        return holds != null ? holds.closeAsync() : permit != null ? permit.closeAsync() : NOTHING_TO_RELEASE;
    }
}
