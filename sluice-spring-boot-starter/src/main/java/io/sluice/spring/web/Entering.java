package io.sluice.spring.web;

import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyPermit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The decision on a request that enters, and what the request then holds. Thread-safe. */
public final class Entering extends CompletableFuture<PolicyDecision> {
    private final AtomicReference<@Nullable PolicyPermit> held = new AtomicReference<>();
    private volatile boolean left;

    private Entering() {}

    static Entering of(CompletionStage<PolicyPermit> permit) {
        Entering entering = new Entering();
        entering.follow(permit, decision -> decision);
        return entering;
    }

    /**
     * A request that enters only if a look allows it.
     *
     * @param both combines both decisions
     */
    static Entering after(
            CompletionStage<PolicyDecision> look,
            Supplier<CompletionStage<PolicyPermit>> enter,
            BinaryOperator<PolicyDecision> both) {
        Entering entering = new Entering();
        look.whenComplete((looked, failure) -> {
            if (failure != null) {
                entering.completeExceptionally(failure);
            } else if (!looked.allowed()) {
                entering.complete(looked);
            } else if (!entering.isDone()) {
                entering.follow(enter.get(), decision -> both.apply(looked, decision));
            }
        });
        return entering;
    }

    private void follow(CompletionStage<PolicyPermit> stage, UnaryOperator<PolicyDecision> completed) {
        stage.whenComplete((permit, failure) -> {
            if (failure != null) {
                completeExceptionally(failure);
                return;
            }
            held.set(permit);
            if (!complete(completed.apply(permit.decision())) || left) {
                leave();
            }
        });
        whenComplete((decision, failure) -> {
            if (failure != null) {
                stage.toCompletableFuture().cancel(true);
            }
        });
    }

    /** Releases what the request holds, without blocking, or cancels the decision if it is not there yet. Only the first call counts. */
    public void leave() {
        left = true;
        PolicyPermit permit = held.getAndSet(null);
        if (permit != null) {
            permit.closeAsync();
        } else {
            cancel(true);
        }
    }
}
