package io.sluice.policy.envoy;

import io.sluice.policy.match.CompiledCondition;
import io.sluice.policy.match.CompiledGlob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Each level has one branch for a value: the value itself, or else the first wildcard in the order of the file that
 * matches, or else the key without a value. If that branch leads to no rule, no other branch is tried. A descriptor
 * matches the rule at which it ends; rules above or below it are ignored.
 */
/** A descriptor of a domain with its nested descriptors. Not changed after the file is read. */
final class EnvoyTree {
    /** The rule for descriptors that end here, if any. */
    @Nullable
    EnvoyTarget target;

    private final Map<String, Choices> keys = new HashMap<>();

    /** The branches for the values of one key. */
    private static final class Choices {
        private final Map<String, EnvoyTree> values = new HashMap<>();
        private final List<Wildcard> wildcards = new ArrayList<>();
        private @Nullable EnvoyTree any;

        @Nullable
        EnvoyTree find(String value) {
            EnvoyTree exact = values.get(value);
            if (exact != null) {
                return exact;
            }
            for (int i = 0; i < wildcards.size(); i++) {
                if (wildcards.get(i).glob.holds(value)) {
                    return wildcards.get(i).tree;
                }
            }
            return any;
        }
    }

    private record Wildcard(CompiledCondition glob, EnvoyTree tree) {}

    static boolean isWildcard(@Nullable String value) {
        return value != null && value.indexOf('*') >= 0;
    }

    /**
     * Adds a nested descriptor.
     *
     * @param value null for any value
     */
    void add(String key, @Nullable String value, EnvoyTree tree) {
        Choices choices = keys.computeIfAbsent(key, unused -> new Choices());
        if (value == null) {
            choices.any = tree;
            return;
        }
        choices.values.put(value, tree);
        if (isWildcard(value)) {
            // A star of envoyproxy/ratelimit crosses slashes.
            choices.wildcards.add(new Wildcard(CompiledGlob.of(value.replace("*", "**")), tree));
        }
    }

    /** The rule that a descriptor matches; null if there is none. */
    @Nullable
    EnvoyTarget find(List<EnvoyEntry> descriptor) {
        EnvoyTree at = this;
        for (int i = 0; i < descriptor.size(); i++) {
            EnvoyEntry entry = descriptor.get(i);
            Choices choices = at.keys.get(entry.key());
            EnvoyTree next = choices == null ? null : choices.find(entry.value());
            if (next == null) {
                return null;
            }
            at = next;
        }
        return at.target;
    }
}
