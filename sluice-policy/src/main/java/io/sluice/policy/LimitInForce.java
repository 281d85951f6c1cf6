package io.sluice.policy;

import io.sluice.Limit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A limit in force: a policy's own limit, or the limit of one of its overrides.
 *
 * @param policy the policy
 * @param override the override that has the limit; null for the policy's own limit
 * @param limit the limit. It differs from the limit in the policy if the store enforces another one.
 * @param scope which processes share its state; {@link Scope#PROCESS} also for a shared policy of an engine that counts in
 *     memory
 */
public record LimitInForce(Policy policy, @Nullable LimitOverride override, Limit limit, Scope scope) {
    public LimitInForce {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(limit, "limit");
        Objects.requireNonNull(scope, "scope");
    }
}
