package io.sluice.policy.explain;

import io.sluice.policy.Mode;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Which policies apply to a request, and why the others do not. Prints as text for a reader.
 *
 * @param attributes the request's attributes as they are matched: those that some policy asks for, with the path normalised
 * @param policies one for each policy, in the order of the file
 */
public record Explanation(Map<String, String> attributes, List<PolicyExplanation> policies) {
    public Explanation {
        attributes = Collections.unmodifiableMap(attributes);
        policies = List.copyOf(policies);
    }

    /** Whether all enforcing policies that apply would allow it now. */
    public boolean allowed() {
        return policies.stream()
                .filter(policy -> policy.applies() && policy.policy().mode() == Mode.ENFORCE)
                .allMatch(policy -> policy.requireState().allowed());
    }

    /** The names of those attributes of the request that no policy asks for; perhaps they were mistyped. */
    public List<String> unused(Map<String, String> request) {
        return request.keySet().stream()
                .filter(name -> !attributes.containsKey(name))
                .toList();
    }

    /**
     * One line of JSON, without its end: {@code
     * {"attributes":{},"unused":[],"permits":1,"allowed":true,"policies":[{"policy":"a","applies":true,...}]}}. Times are in
     * microseconds, never is -1.
     *
     * @param request the attributes that were asked about
     * @param permits the permits that were asked about
     */
    public String toJson(Map<String, String> request, long permits) {
        return ExplanationJson.of(this, permits, unused(request));
    }

    @Override
    public String toString() {
        return ExplanationText.of(this);
    }
}
