package io.sluice.policy;

import io.sluice.Limit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Another limit for some requests of a policy.
 *
 * @param name by which its state is known, if it has one; else that is {@code match}
 * @param match which requests
 * @param limit their limit
 */
public record LimitOverride(@Nullable String name, Match match, Limit limit) {
    public LimitOverride {
        Objects.requireNonNull(match, "match");
        Objects.requireNonNull(limit, "limit");
    }

    /** What its state belongs to, besides the policy and the key. */
    public String id() {
        return name == null ? match.toString() : name;
    }
}
