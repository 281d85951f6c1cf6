package io.sluice.spring.metrics;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.sluice.policy.Mode;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name and the key values of the observation of a decision. The observation is {@code sluice.decision}. Its key values
 * have few different values:
 *
 * <table>
 * <caption>Key values</caption>
 * <tr><th>key</th><th>value</th></tr>
 * <tr><td>{@code surface}</td><td>where the decision is made: {@code web}, {@code method}, {@code client} or {@code
 *     gateway}</td></tr>
 * <tr><td>{@code policy}</td><td>the first policy that denied; {@code none} if no policy denied</td></tr>
 * <tr><td>{@code outcome}</td><td>{@code degraded} if a policy was decided without the store, else {@code denied}, {@code
 *     shadow-denied} or {@code allowed}; {@code none} if the call failed or was cancelled</td></tr>
 * </table>
 *
 * <p>To change them, declare a bean of this type and override methods. Do not add values of requests as low-cardinality key
 * values: each different value is a time series.
 */
public interface DecisionObservationConvention extends ObservationConvention<DecisionContext> {
    /** The convention if the application declares none. */
    DecisionObservationConvention DEFAULT = new DecisionObservationConvention() {};

    @Override
    default String getName() {
        return "sluice.decision";
    }

    @Override
    default String getContextualName(DecisionContext context) {
        return "sluice decision";
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(DecisionContext context) {
        PolicyDecision decision = context.decision();
        return KeyValues.of("surface", context.surface(), "policy", policy(decision), "outcome", outcome(decision));
    }

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof DecisionContext;
    }

    private static String policy(@Nullable PolicyDecision decision) {
        List<String> violated = decision == null ? List.of() : decision.violated();
        return violated.isEmpty() ? "none" : violated.get(0);
    }

    private static String outcome(@Nullable PolicyDecision decision) {
        if (decision == null) {
            return "none";
        } else if (decision.degraded()) {
            return "degraded";
        } else if (!decision.allowed()) {
            return "denied";
        }
        return isShadowDenied(decision) ? "shadow-denied" : "allowed";
    }

    private static boolean isShadowDenied(PolicyDecision decision) {
        for (PolicyResult result : decision.results()) {
            if (result.mode() == Mode.SHADOW && !result.decision().allowed()) {
                return true;
            }
        }
        return false;
    }
}
