package io.sluice.spring.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.sluice.Limit;
import io.sluice.RateLimitedException;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import io.sluice.spring.DecisionObserver;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes an observation of every decision. While nobody observes, a decision is made without one. Thread-safe. */
final class ObservedDecisions implements DecisionObserver {
    private final ObservationRegistry registry;
    private final @Nullable DecisionObservationConvention convention;

    /** @param convention the convention of the application, if it has one */
    ObservedDecisions(ObservationRegistry registry, @Nullable DecisionObservationConvention convention) {
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public PolicyDecision observe(String surface, Supplier<PolicyDecision> decision) {
        if (registry.isNoop()) {
            return decision.get();
        }
        DecisionContext context = new DecisionContext(surface);
        Observation observation = observation(context);
        if (observation.isNoop()) {
            return decision.get();
        }
        observation.start();
        try {
            PolicyDecision decided = observation.scoped(decision);
            context.decided(decided);
            return decided;
        } finally {
            observation.stop();
        }
    }

    @Override
    public CompletionStage<PolicyDecision> observeAsync(
            String surface, Supplier<CompletionStage<PolicyDecision>> decision) {
        return observe(surface, decision, decided -> decided);
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<T> observeWait(
            String surface, Supplier<CompletionStage<T>> wait, Function<T, @Nullable RateLimitedException> denial) {
        return observe(surface, wait, result -> decision(denial.apply(result)));
    }

    /** The decision of a wait. What is known of it is why it was denied. */
    private static PolicyDecision decision(@Nullable RateLimitedException denial) {
        return denial == null
                ? PolicyDecision.of()
                : PolicyDecision.of(
                        new PolicyResult(denial.limiter(), Map.of(), Limit.blocked(), Mode.ENFORCE, denial.decision()));
    }

    private <T extends @Nullable Object> CompletionStage<T> observe(
            String surface, Supplier<CompletionStage<T>> call, Function<T, PolicyDecision> decision) {
        if (registry.isNoop()) {
            return call.get();
        }
        DecisionContext context = new DecisionContext(surface);
        Observation observation = observation(context);
        if (observation.isNoop()) {
            return call.get();
        }
        observation.start();
        CompletionStage<T> stage;
        try {
            stage = observation.scoped(call);
        } catch (RuntimeException | Error e) {
            observation.stop();
            throw e;
        }
        // The same stage is returned, because cancelling it gives the permits back.
        stage.whenComplete((result, failure) -> {
            if (failure == null) {
                context.decided(decision.apply(result));
            } else {
                failed(observation, context, failure);
            }
            observation.stop();
        });
        return stage;
    }

    private static void failed(Observation observation, DecisionContext context, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof RateLimitedException denial) {
            context.decided(decision(denial));
        } else if (!(cause instanceof CancellationException)) {
            observation.error(cause);
        }
    }

    private Observation observation(DecisionContext context) {
        return Observation.createNotStarted(convention, DecisionObservationConvention.DEFAULT, () -> context, registry);
    }
}
