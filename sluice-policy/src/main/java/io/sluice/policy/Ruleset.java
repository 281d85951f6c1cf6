package io.sluice.policy;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.spi.PolicyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * A request is decided by one ruleset from beginning to end. Each charge says which limit it expects, and a store decides
 * nothing if another is in force; so no request is ever decided by half of one version and half of the next.
 */
/** All policies that are on, compiled. Immutable. */
final class Ruleset {
    final Policies policies;

    /** The files that the policies come from, if they do. */
    final @Nullable EnvoyConfig envoy;

    final long version;
    final Attributes attributes;
    final Index index;

    /** Those that are not off, in the order of the file. */
    final Rule[] rules;

    /** Of no version yet. */
    Ruleset(Policies policies, @Nullable EnvoyConfig envoy, Attributes attributes, List<Rule> rules) {
        this(
                policies,
                envoy,
                0,
                attributes,
                new Index(rules.stream().map(rule -> rule.policy.match()).toList(), attributes),
                rules.toArray(Rule[]::new));
    }

    private Ruleset(
            Policies policies,
            @Nullable EnvoyConfig envoy,
            long version,
            Attributes attributes,
            Index index,
            Rule[] rules) {
        this.policies = policies;
        this.envoy = envoy;
        this.version = version;
        this.attributes = attributes;
        this.index = index;
        this.rules = rules;
    }

    /** The same as a version. */
    Ruleset numbered(long version) {
        return new Ruleset(policies, envoy, version, attributes, index, rules);
    }

    /** The same with the limits that are in force by now: all as of one moment. */
    Ruleset inForce(PolicyStore shared) {
        List<RateLimiter> limiters = new ArrayList<>();
        Map<RateLimiter, Limit> now = new HashMap<>();
        for (Rule rule : rules) {
            for (RateLimiter limiter : rule.limiters()) {
                if (rule.shared) {
                    limiters.add(limiter);
                } else {
                    now.put(limiter, limiter.limits().get(0));
                }
            }
        }
        List<List<Limit>> limits = shared.limits(limiters);
        for (int i = 0; i < limiters.size(); i++) {
            now.put(limiters.get(i), limits.get(i).get(0));
        }
        return new Ruleset(
                policies,
                envoy,
                version,
                attributes,
                index,
                Arrays.stream(rules).map(rule -> rule.inForce(now)).toArray(Rule[]::new));
    }

    /** The policies whose limits are not those of the file, each with what is in force. */
    List<String> notInForce() {
        List<String> others = new ArrayList<>();
        for (Rule rule : rules) {
            rule.tallies().forEach(tally -> {
                LimitOverride override = tally.override();
                Limit wanted = override == null ? rule.policy.limit() : override.limit();
                if (!tally.limit().equals(wanted)) {
                    others.add(rule.policy.name() + (override == null ? "" : " " + override.id()) + ": " + tally.limit()
                            + " instead of " + wanted);
                }
            });
        }
        return others;
    }

    /** What a request is charged for. */
    Applied apply(@Nullable String[] values, long permits) {
        Scratch scratch = Scratch.ofThread();
        IntList found = scratch.found;
        index.all(values, found);
        Applied applied = new Applied(scratch, values, permits, found.size());
        for (int i = 0; i < found.size(); i++) {
            Rule rule = rules[found.get(i)];
            String key = rule.key.of(values);
            if (key != null) {
                applied.add(rule, key);
            }
        }
        return applied;
    }
}
