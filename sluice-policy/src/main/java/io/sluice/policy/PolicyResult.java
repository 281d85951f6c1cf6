package io.sluice.policy;

import io.sluice.Decision;
import io.sluice.Limit;
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
    /** Whether this policy denied the request. */
    public boolean isViolated() {
        return mode == Mode.ENFORCE && !decision.allowed();
    }
}
