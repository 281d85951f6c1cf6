package io.sluice.policy.envoy;

import java.util.List;
import java.util.Map;

/** A rule, with the way to make the attributes of a request from a descriptor. Immutable. */
final class EnvoyTarget {
    final EnvoyRule rule;

    private final EnvoyPath.Open[] open;
    private final Map.Entry<String, String> ruleEntry;
    private final EnvoyMatch withoutOpenEntries;

    EnvoyTarget(EnvoyRule rule, List<EnvoyPath.Open> open) {
        this.rule = rule;
        this.open = open.toArray(EnvoyPath.Open[]::new);
        this.ruleEntry = Map.entry(EnvoyConfig.RULE, rule.policy());
        this.withoutOpenEntries = new EnvoyMatch(rule, Map.ofEntries(ruleEntry));
    }

    /** @param descriptor a descriptor that matches the rule */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of entries
    EnvoyMatch match(List<EnvoyEntry> descriptor) {
        if (open.length == 0) {
            return withoutOpenEntries;
        }
        Map.Entry<String, String>[] attributes = new Map.Entry[open.length + 1];
        for (int i = 0; i < open.length; i++) {
            attributes[i] = Map.entry(
                    open[i].attribute(), descriptor.get(open[i].index()).value());
        }
        attributes[open.length] = ruleEntry;
        return new EnvoyMatch(rule, Map.ofEntries(attributes));
    }
}
