package io.sluice.policy.explain;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.policy.CurrentWindow;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Policy;
import io.sluice.policy.TemporaryOverride;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether one policy applies to a request, and why.
 *
 * @param policy the policy
 * @param applies whether it applies
 * @param reason why it applies or not: {@code path is "/login" (expected: "/api/**")}
 * @param skippedOverrides for each override before the one that applies, why it does not match
 * @param override the override that applies; null if the policy's own limit applies, or the policy does not apply
 * @param key the key; empty if the policy does not apply
 * @param limit the limit in force; null if the policy does not apply
 * @param kept the permits that are kept from this request
 * @param state the decision on this request now; null if the policy does not apply
 * @param window the present window of a limit of the calendar; null for other limits, or if the policy does not apply
 * @param temporary the temporary override of the key, which has the limit; null if there is none
 * @param factor what the limits of the policy are multiplied by; null if they do not follow a signal, or the policy does not apply
 */
public record PolicyExplanation(
        Policy policy,
        boolean applies,
        String reason,
        List<String> skippedOverrides,
        @Nullable LimitOverride override,
        Map<String, String> key,
        @Nullable Limit limit,
        long kept,
        @Nullable Decision state,
        @Nullable CurrentWindow window,
        @Nullable TemporaryOverride temporary,
        @Nullable BigDecimal factor) {
    public PolicyExplanation {
        skippedOverrides = List.copyOf(skippedOverrides);
    }

    /** A policy that does not apply. */
    public static PolicyExplanation notApplying(Policy policy, String reason) {
        return new PolicyExplanation(policy, false, reason, List.of(), null, Map.of(), null, 0, null, null, null, null);
    }

    Decision requireState() {
        return Objects.requireNonNull(state);
    }
}
