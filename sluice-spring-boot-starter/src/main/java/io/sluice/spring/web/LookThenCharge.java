package io.sluice.spring.web;

import io.sluice.policy.PolicyDecision;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Two decisions one after the other. The second is not made if the first denies. Cancelling it cancels the second. */
final class LookThenCharge extends CompletableFuture<PolicyDecision> {
    private final BinaryOperator<PolicyDecision> both;

    private LookThenCharge(BinaryOperator<PolicyDecision> both) {
        this.both = both;
    }

    static LookThenCharge of(
            CompletionStage<PolicyDecision> first,
            Function<PolicyDecision, CompletionStage<PolicyDecision>> second,
            BinaryOperator<PolicyDecision> both) {
        LookThenCharge result = new LookThenCharge(both);
        first.whenComplete((look, failure) -> {
            if (failure != null || !look.allowed()) {
                result.finish(look, failure);
            } else if (!result.isDone()) {
                result.follow(look, second.apply(look));
            }
        });
        return result;
    }

    private void follow(PolicyDecision look, CompletionStage<PolicyDecision> second) {
        second.whenComplete(
                (decision, failure) -> finish(failure == null ? both.apply(look, decision) : null, failure));
        whenComplete((decision, failure) -> {
            if (isCancelled()) {
                second.toCompletableFuture().cancel(true);
            }
        });
    }

    private void finish(@Nullable PolicyDecision decision, @Nullable Throwable failure) {
        if (failure != null || decision == null) {
            completeExceptionally(failure == null ? new IllegalStateException("no decision") : failure);
        } else {
            complete(decision);
        }
    }
}
