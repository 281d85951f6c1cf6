package io.sluice.policy.engine;

import io.sluice.policy.CurrentWindow;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Mode;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.explain.Explanation;
import io.sluice.policy.explain.PolicyExplanation;
import io.sluice.policy.match.AttributeSlots;
import io.sluice.policy.match.Mismatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Explains which policies apply to a request. {@link PolicyEngine#explain} is its only user. */
public final class Explainer {
    private Explainer() {}

    /**
     * Explains the request by these rules. Charges nothing.
     *
     * @param wallMicros the time of day, for windows of the calendar
     */
    public static Explanation explain(Ruleset rules, Map<String, String> request, long permits, long wallMicros) {
        AttributeSlots attributes = AttributeSlots.of(rules.policies().policies());
        @Nullable String[] all = attributes.values(request);
        @Nullable String[] values = rules.attributes.values(request);
        List<PolicyExplanation> each = new ArrayList<>();
        int next = 0;
        for (Policy policy : rules.policies().policies()) {
            if (policy.mode() == Mode.OFF) {
                each.add(PolicyExplanation.notApplying(policy, "its mode is off"));
            } else {
                each.add(explain(rules, next++, values, permits, wallMicros));
            }
        }
        return new Explanation(attributes.present(all), each);
    }

    private static PolicyExplanation explain(
            Ruleset rules, int number, @Nullable String[] values, long permits, long wallMicros) {
        Rule rule = rules.rules[number];
        List<Mismatch> mismatches = rules.index.match(number).mismatches(values);
        if (!mismatches.isEmpty()) {
            return PolicyExplanation.notApplying(rule.policy, text(mismatches));
        }
        String key = rule.key.format(values);
        if (key == null) {
            return PolicyExplanation.notApplying(
                    rule.policy, rule.key.firstAbsent(values) + " is absent (expected: it is part of the key)");
        }
        PolicyLimit limit = rule.limitFor(values, key);
        long kept = rule.keptFrom(values, limit);
        return new PolicyExplanation(
                rule.policy,
                true,
                "every condition holds",
                skippedOverrides(rule, values),
                limit.override(),
                rule.key.display(values),
                limit.limit(),
                kept,
                limit.peek(key, permits, kept),
                CurrentWindow.of(limit.limit(), wallMicros),
                limit.temporary() == null ? null : limit.temporary().override(),
                rule.factor);
    }

    private static List<String> skippedOverrides(Rule rule, @Nullable String[] values) {
        List<String> reasons = new ArrayList<>();
        List<LimitOverride> overrides = rule.policy.overrides();
        int first = rule.overrides().first(values);
        for (int i = 0; i < (first < 0 ? overrides.size() : first); i++) {
            reasons.add(overrides.get(i).id() + ": "
                    + text(rule.overrides().match(i).mismatches(values)));
        }
        return reasons;
    }

    private static String text(List<Mismatch> mismatches) {
        return mismatches.stream().map(Mismatch::toString).collect(Collectors.joining("; "));
    }
}
