package io.sluice.policy.envoy;

import io.sluice.policy.match.CompiledCondition;
import io.sluice.policy.match.CompiledGlob;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * At each level there is one way only: the value itself, or else the first wildcard in the file's order that is like it, or
 * else the key without a value. Where that leads to nothing, no other way is tried. A descriptor matches the rule at which
 * it ends, so a rule above or below it does not count.
 */
/** A descriptor of a domain, and those inside it. Not changed any more once it is read. */
final class EnvoyTree {
    /** The rule for descriptors that end here, if there is one. */
    @Nullable
    EnvoyTarget target;

    private final Map<String, Choices> keys = new HashMap<>();

    /** What a key's value may be. */
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
                if (wildcards.get(i).like.holds(value)) {
                    return wildcards.get(i).tree;
                }
            }
            return any;
        }
    }

    private record Wildcard(CompiledCondition like, EnvoyTree tree) {}

    static boolean isWildcard(@Nullable String value) {
        return value != null && value.indexOf('*') >= 0;
    }

    /**
     * Puts a descriptor behind those that are there.
     *
     * @param value null for any
     */
    void add(String key, @Nullable String value, EnvoyTree tree) {
        Choices choices = keys.computeIfAbsent(key, unused -> new Choices());
        if (value == null) {
            choices.any = tree;
            return;
        }
        choices.values.put(value, tree);
        if (isWildcard(value)) {
            // There a star crosses slashes.
            choices.wildcards.add(new Wildcard(CompiledGlob.of(value.replace("*", "**")), tree));
        }
    }

    /** The rule that a descriptor matches. */
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
