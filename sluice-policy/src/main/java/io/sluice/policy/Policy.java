package io.sluice.policy;

import io.sluice.Limit;
import io.sluice.OnFailure;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A limit for some requests.
 *
 * @param name by which results, metrics and its state are known
 * @param match which requests
 * @param key the attributes that tell buckets apart; a request without one of them is not charged; none for one bucket
 * @param limit how much each bucket may use
 * @param overrides other limits, of which the first that matches counts
 * @param reserve the share that is kept for some requests, if any
 * @param mode whether it denies
 * @param onStoreFailure what it does when the store does not answer
 * @param scope who shares it
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
        Scope scope) {
    public Policy {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(match, "match");
        key = List.copyOf(key);
        Objects.requireNonNull(limit, "limit");
        overrides = List.copyOf(overrides);
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(onStoreFailure, "onStoreFailure");
        Objects.requireNonNull(scope, "scope");
    }
}
