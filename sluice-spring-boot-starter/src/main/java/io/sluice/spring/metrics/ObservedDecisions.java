package io.sluice.spring.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.sluice.policy.PolicyDecision;
import io.sluice.spring.DecisionObserver;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
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
        if (registry.isNoop()) {
            return decision.get();
        }
        DecisionContext context = new DecisionContext(surface);
        Observation observation = observation(context);
        if (observation.isNoop()) {
            return decision.get();
        }
        observation.start();
        CompletionStage<PolicyDecision> stage;
        try {
            stage = observation.scoped(decision);
        } catch (RuntimeException | Error e) {
            observation.stop();
            throw e;
        }
        // The same stage is returned, because cancelling it gives the permits back.
        stage.whenComplete((decided, failure) -> {
            if (failure == null) {
                context.decided(decided);
            } else if (!(failure instanceof CancellationException)) {
                observation.error(failure);
            }
            observation.stop();
        });
        return stage;
    }

    private Observation observation(DecisionContext context) {
        return Observation.createNotStarted(convention, DecisionObservationConvention.DEFAULT, () -> context, registry);
    }
}
