package io.sluice.policy;

import io.sluice.Algorithm;
import io.sluice.Limit;
import io.sluice.OnFailure;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A limit for the requests that match.
 *
 * @param name the name in results and metrics; its state belongs to this name
 * @param match the requests to which the policy applies
 * @param key the attributes whose values are the key; a request without one of them is not charged; empty for one key
 *     for all
 * @param limit the limit of each key
 * @param overrides other limits for some requests; the first that matches applies
 * @param reserve the share of the limit that is kept for some requests, if any
 * @param mode whether the policy denies
 * @param onStoreFailure the decision if the store does not answer
 * @param scope which processes share its state
 * @param charge when the policy charges a request
 * @param adapt how its limits follow a signal, if they do; only with scope process
 */
public record Policy(
        String name,
        Match match,
        List<KeyPart> key,
        Limit limit,
        List<LimitOverride> overrides,
        @Nullable Reserve reserve,
        Mode mode,
        OnFailure onStoreFailure,
        Scope scope,
        Charging charge,
        @Nullable Adapt adapt) {
    /** A policy whose limits do not follow a signal. */
    public Policy(
            String name,
            Match match,
            List<KeyPart> key,
            Limit limit,
            List<LimitOverride> overrides,
            @Nullable Reserve reserve,
            Mode mode,
            OnFailure onStoreFailure,
            Scope scope,
            Charging charge) {
        this(name, match, key, limit, overrides, reserve, mode, onStoreFailure, scope, charge, null);
    }

    /** A policy that charges admitted requests. */
    public Policy(
            String name,
            Match match,
            List<KeyPart> key,
            Limit limit,
            List<LimitOverride> overrides,
            @Nullable Reserve reserve,
            Mode mode,
            OnFailure onStoreFailure,
            Scope scope) {
        this(name, match, key, limit, overrides, reserve, mode, onStoreFailure, scope, Charging.ADMITTED);
    }

    public Policy {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(match, "match");
        key = List.copyOf(key);
        Objects.requireNonNull(limit, "limit");
        overrides = List.copyOf(overrides);
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(onStoreFailure, "onStoreFailure");
        Objects.requireNonNull(scope, "scope");
        Objects.requireNonNull(charge, "charge");
        if (reserve != null) {
            requireShares(limit);
            overrides.forEach(override -> requireShares(override.limit()));
        }
        if (adapt != null && scope == Scope.SHARED) {
            throw new IllegalArgumentException("adapt: with scope shared (expected: scope process, because each process"
                    + " follows what it measures itself)");
        }
        requireFitting(limit, scope, charge);
        overrides.forEach(override -> requireFitting(override.limit(), scope, charge));
    }

    /** Whether its limit, or that of an override, is on what is in flight: then requests enter and leave. */
    public boolean limitsConcurrency() {
        return limit.algorithm().holds()
                || overrides.stream()
                        .anyMatch(override -> override.limit().algorithm().holds());
    }

    /** What is expected instead of a limit that does not fit the scope or the charge of its policy; null if it fits. */
    public static @Nullable String expectedInsteadOf(Limit limit, Scope scope, Charging charge) {
        if (charge == Charging.ALWAYS && limit.algorithm().holds()) {
            return "charge: admitted, because what is in flight is given back and not used up";
        }
        if (scope == Scope.SHARED && limit.algorithm() == Algorithm.ADAPTIVE_CONCURRENCY) {
            return "scope: process, because each process finds a number of its own";
        }
        return null;
    }

    private static void requireFitting(Limit limit, Scope scope, Charging charge) {
        String expected = expectedInsteadOf(limit, scope, charge);
        if (expected != null) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: " + expected + ")");
        }
    }

    private static void requireShares(Limit limit) {
        if (!Reserve.isPossibleFor(limit)) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: " + Reserve.POSSIBLE + ")");
        }
    }
}
