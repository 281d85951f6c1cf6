package io.sluice.policy.explain;

import io.sluice.policy.Mode;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Explains which policies apply to a request, and why the others do not. {@link #toString()} is text for a reader.
 *
 * @param attributes the attributes of the request that a policy uses, with the path normalised
 * @param policies the explanation of each policy, in the order of the file
 */
public record Explanation(Map<String, String> attributes, List<PolicyExplanation> policies) {
    public Explanation {
        attributes = Collections.unmodifiableMap(attributes);
        policies = List.copyOf(policies);
    }

    /** Whether all enforcing policies that apply would allow the request now. */
    public boolean allowed() {
        return policies.stream()
                .filter(policy -> policy.applies() && policy.policy().mode() == Mode.ENFORCE)
                .allMatch(policy -> policy.requireState().allowed());
    }

    /** The attributes of the request that no policy uses; perhaps they are mistyped. */
    public List<String> unused(Map<String, String> request) {
        return request.keySet().stream()
                .filter(name -> !attributes.containsKey(name))
                .toList();
    }

    /**
     * The explanation as one line of JSON, without a line end: {@code
     * {"attributes":{},"unused":[],"permits":1,"allowed":true,"policies":[{"policy":"a","applies":true,...}]}}. Times
     * are in microseconds; -1 means never.
     *
     * @param request the attributes of the request
     * @param permits the permits of the request
     */
    public String toJson(Map<String, String> request, long permits) {
        return ExplanationJson.of(this, permits, unused(request));
    }

    @Override
    public String toString() {
        return ExplanationText.of(this);
    }
}
