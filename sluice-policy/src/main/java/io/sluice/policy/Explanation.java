package io.sluice.policy;

import io.sluice.Decision;
import io.sluice.RateLimiter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

    static Explanation of(Ruleset rules, Map<String, String> request, long permits) {
        Attributes attributes = Attributes.of(rules.policies.policies());
        @Nullable String[] all = attributes.values(request);
        @Nullable String[] values = rules.attributes.values(request);
        List<PolicyExplanation> each = new ArrayList<>();
        int next = 0;
        for (Policy policy : rules.policies.policies()) {
            if (policy.mode() == Mode.OFF) {
                each.add(PolicyExplanation.without(policy, "its mode is off"));
            } else {
                each.add(of(rules, next++, values, permits));
            }
        }
        return new Explanation(attributes.present(all), each);
    }

    private static PolicyExplanation of(Ruleset rules, int number, @Nullable String[] values, long permits) {
        Rule rule = rules.rules[number];
        List<Mismatch> mismatches = rules.index.matcher(number).whyNot(values);
        if (!mismatches.isEmpty()) {
            return PolicyExplanation.without(rule.policy, text(mismatches));
        }
        String key = rule.key.of(values);
        if (key == null) {
            return PolicyExplanation.without(
                    rule.policy, rule.key.absent(values) + " is absent (expected: it is part of the key)");
        }
        Tally tally = rule.tally(values);
        long kept = rule.kept(tally, values);
        return new PolicyExplanation(
                rule.policy,
                true,
                "every condition holds",
                passed(rule, values),
                tally.override(),
                rule.key.display(values),
                tally.limit(),
                kept,
                state(tally, key, permits, kept));
    }

    private static List<String> passed(Rule rule, @Nullable String[] values) {
        List<String> reasons = new ArrayList<>();
        List<LimitOverride> overrides = rule.policy.overrides();
        int winner = rule.overrides().first(values);
        for (int i = 0; i < (winner < 0 ? overrides.size() : winner); i++) {
            reasons.add(overrides.get(i).id() + ": "
                    + text(rule.overrides().matcher(i).whyNot(values)));
        }
        return reasons;
    }

    private static String text(List<Mismatch> mismatches) {
        return mismatches.stream().map(Mismatch::toString).collect(Collectors.joining("; "));
    }

    private static Decision state(Tally tally, String key, long permits, long kept) {
        RateLimiter limiter = tally.limiter();
        if (limiter == null) {
            return tally.constant();
        }
        Decision look = limiter.peek(key, permits > Long.MAX_VALUE - kept ? Long.MAX_VALUE : permits + kept);
        return new Decision(
                look.allowed(),
                Math.max(0, look.remaining() - kept),
                look.retryAfterMicros(),
                look.delayMicros(),
                look.resetAfterMicros(),
                look.degraded());
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
