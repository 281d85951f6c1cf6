package io.sluice.policy;

import io.sluice.Decision;
import io.sluice.Limit;
import java.time.Duration;
import java.util.Map;

/**
 * The verdict of one policy on a request.
 *
 * @param policy the name of the policy
 * @param key the values of the key attributes, by the text of the key part, in the order of the file
 * @param limit the limit that applied, the policy's own or that of an override
 * @param mode the mode of the policy
 * @param decision the verdict on the state before the request; {@code remaining} and {@code resetAfter} are the values
 *     after it
 */
public record PolicyResult(String policy, Map<String, String> key, Limit limit, Mode mode, Decision decision) {
    /** How long to wait until this policy would allow the same request, see {@link Decision#retryAfter()}. */
    public Duration retryAfter() {
        return decision.retryAfter();
    }

    /** How long to wait before the permits of this policy may be used, see {@link Decision#delay()}. */
    public Duration delay() {
        return decision.delay();
    }

    /** The time until the key is fresh, see {@link Decision#resetAfter()}. */
    public Duration resetAfter() {
        return decision.resetAfter();
    }

    /** Whether this policy denied the request. */
    public boolean isViolated() {
        return mode == Mode.ENFORCE && !decision.allowed();
    }
}
