package io.sluice.policy;

import io.sluice.Limit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Another limit for some requests of a policy.
 *
 * @param name the name to which its state belongs; if null, the state belongs to the text of {@code match}
 * @param match the requests that have this limit
 * @param limit the limit
 */
public record LimitOverride(@Nullable String name, Match match, Limit limit) {
    public LimitOverride {
        Objects.requireNonNull(match, "match");
        Objects.requireNonNull(limit, "limit");
    }

    /** The name, or the text of the match: its state belongs to this, to the policy and to the key. */
    public String id() {
        return name == null ? match.toString() : name;
    }
}
