package io.sluice.policy;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether one policy applies to a request, and why.
 *
 * @param policy which
 * @param applies whether it does
 * @param reason why, or why not: {@code path is "/login" (expected: "/api/**")}
 * @param passed of the overrides before the one that counts, why each does not match
 * @param override the one that counts; null if the policy's own limit does, or it does not apply
 * @param key the bucket; empty if it does not apply
 * @param limit the limit in force; null if it does not apply
 * @param kept the permits that are kept from this request for others
 * @param state what would be answered now; null if it does not apply
 */
public record PolicyExplanation(
        Policy policy,
        boolean applies,
        String reason,
        List<String> passed,
        @Nullable LimitOverride override,
        Map<String, String> key,
        @Nullable Limit limit,
        long kept,
        @Nullable Decision state) {
    public PolicyExplanation {
        passed = List.copyOf(passed);
    }

    static PolicyExplanation without(Policy policy, String reason) {
        return new PolicyExplanation(policy, false, reason, List.of(), null, Map.of(), null, 0, null);
    }

    Decision requireState() {
        return Objects.requireNonNull(state);
    }
}
