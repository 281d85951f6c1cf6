package io.sluice.policy.envoy;

import java.util.List;
import java.util.Map;

/** A rule, and how the attributes of a request are made of a descriptor. Immutable. */
final class EnvoyTarget {
    final EnvoyRule rule;

    private final EnvoyPath.Open[] open;
    private final Map.Entry<String, String> ruleEntry;
    private final EnvoyMatch closed;

    EnvoyTarget(EnvoyRule rule, List<EnvoyPath.Open> open) {
        this.rule = rule;
        this.open = open.toArray(EnvoyPath.Open[]::new);
        this.ruleEntry = Map.entry(EnvoyConfig.RULE, rule.policy());
        this.closed = new EnvoyMatch(rule, Map.ofEntries(ruleEntry));
    }

    /** @param descriptor one that matches the rule */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of entries
    EnvoyMatch match(List<EnvoyEntry> descriptor) {
        if (open.length == 0) {
            return closed;
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
