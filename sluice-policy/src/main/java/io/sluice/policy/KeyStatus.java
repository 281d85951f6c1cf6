package io.sluice.policy;

import io.sluice.Decision;
import io.sluice.Limit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of one key under one limit of a policy.
 *
 * @param policy the policy
 * @param override the override that has the limit; null for the policy's own limit
 * @param key the values, or networks, by the text of the key part
 * @param limit the limit in force
 * @param state the decision on a request for one permit now
 * @param window the present window of a limit of the calendar; null for other limits
 * @param temporary the temporary override of the key, which has the limit; null if there is none
 * @param factor what the limits of the policy are multiplied by; null if they do not follow a signal
 */
public record KeyStatus(
        Policy policy,
        @Nullable LimitOverride override,
        Map<String, String> key,
        Limit limit,
        Decision state,
        @Nullable CurrentWindow window,
        @Nullable TemporaryOverride temporary,
        @Nullable BigDecimal factor) {
    /** How long to wait until one permit would be allowed, see {@link Decision#retryAfter()}. */
    public Duration retryAfter() {
        return state.retryAfter();
    }

    /** How long to wait before a permit may be used, see {@link Decision#delay()}. */
    public Duration delay() {
        return state.delay();
    }

    /** The time until the key is fresh, see {@link Decision#resetAfter()}. */
    public Duration resetAfter() {
        return state.resetAfter();
    }
}
