package io.sluice.policy;

import io.sluice.Decision;
import io.sluice.Limit;
import java.util.Map;

/**
 * What one policy said to a request.
 *
 * @param policy its name
 * @param key the bucket: the values of its key attributes, by the text of the key part, in the order of the file
 * @param limit the limit that applied, the policy's own or an override's
 * @param mode whether it denies
 * @param decision its own verdict, on the state before the request; {@code remaining} and {@code resetAfter} are after it
 */
public record PolicyResult(String policy, Map<String, String> key, Limit limit, Mode mode, Decision decision) {
    /** Whether the request was denied because of it. */
    public boolean isViolated() {
        return mode == Mode.ENFORCE && !decision.allowed();
    }
}
