package io.sluice.policy.engine;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.policy.LimitInForce;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicySelection;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.policy.match.AttributeSlots;
import io.sluice.policy.match.IntList;
import io.sluice.policy.match.MatchIndex;
import io.sluice.spi.PolicyStore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * A request is decided by one ruleset from beginning to end. Each charge names the limit that it expects, and a store
 * decides nothing if another limit is in force. So no request is ever decided partly by one version and partly by the
 * next.
 */

/**
 * All policies of one version that are not off, compiled. Immutable. Public for {@link PolicyEngine} and {@link
 * io.sluice.policy.PolicyView}, which only pass it on.
 */
public final class Ruleset {
    private final Policies policies;
    private final @Nullable EnvoyConfig envoy;
    private final long version;
    final AttributeSlots attributes;

    /** Finds the rules that match a request. */
    final MatchIndex index;

    /** One for each policy that is not off, in the order of the file. */
    final Rule[] rules;

    /** Made when it is first read. */
    private volatile @Nullable List<LimitInForce> limits;

    /** A ruleset without a version. */
    Ruleset(Policies policies, @Nullable EnvoyConfig envoy, AttributeSlots attributes, List<Rule> rules) {
        this(
                policies,
                envoy,
                0,
                attributes,
                new MatchIndex(rules.stream().map(rule -> rule.policy.match()).toList(), attributes),
                rules.toArray(Rule[]::new));
    }

    private Ruleset(
            Policies policies,
            @Nullable EnvoyConfig envoy,
            long version,
            AttributeSlots attributes,
            MatchIndex index,
            Rule[] rules) {
        this.policies = policies;
        this.envoy = envoy;
        this.version = version;
        this.attributes = attributes;
        this.index = index;
        this.rules = rules;
    }

    /** The policies, also those that are off. */
    public Policies policies() {
        return policies;
    }

    /** The envoyproxy/ratelimit files that the policies come from; null if they come from elsewhere. */
    public @Nullable EnvoyConfig envoy() {
        return envoy;
    }

    /** See {@link PolicyEngine#version}. */
    public long version() {
        return version;
    }

    /** See {@link PolicyEngine#limits}. */
    public List<LimitInForce> limits() {
        List<LimitInForce> known = limits;
        if (known == null) {
            known = Arrays.stream(rules)
                    .flatMap(rule -> rule.limits()
                            .map(limit -> new LimitInForce(rule.policy, limit.override(), limit.limit(), rule.scope)))
                    .toList();
            limits = known;
        }
        return known;
    }

    /** See {@link PolicyEngine#attributes}. */
    public Set<String> attributeNames() {
        return attributes.names();
    }

    Ruleset withVersion(long version) {
        return new Ruleset(policies, envoy, version, attributes, index, rules);
    }

    /** The same rules with the limits that are in force now, all read at one moment. */
    Ruleset withCurrentLimits(PolicyStore shared) {
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
                Arrays.stream(rules).map(rule -> rule.withLimits(now)).toArray(Rule[]::new));
    }

    /** The factor of each policy that follows a signal, by its name. */
    public Map<String, BigDecimal> factors() {
        Map<String, BigDecimal> factors = new LinkedHashMap<>();
        for (Rule rule : rules) {
            if (rule.factor != null) {
                factors.put(rule.policy.name(), rule.factor);
            }
        }
        return factors;
    }

    /** The same rules with other factors; the same object if none differs. Puts nothing in force. */
    Ruleset withFactors(Factors factors) {
        Rule[] scaled = new Rule[rules.length];
        boolean differs = false;
        for (int i = 0; i < rules.length; i++) {
            BigDecimal now = factors.of(rules[i].policy);
            BigDecimal before = rules[i].factor;
            scaled[i] = rules[i];
            if (now != null && before != null && now.compareTo(before) != 0) {
                scaled[i] = rules[i].withFactor(now);
                differs = true;
            }
        }
        return differs ? new Ruleset(policies, envoy, version, attributes, index, scaled) : this;
    }

    /** The limits in force that differ from those of the policies, as texts for the log. */
    List<String> differingLimits() {
        List<String> differing = new ArrayList<>();
        for (Rule rule : rules) {
            rule.limits().forEach(limit -> {
                LimitOverride override = limit.override();
                Limit wanted = rule.wanted(limit);
                if (!limit.limit().equals(wanted)) {
                    differing.add(rule.policy.name() + (override == null ? "" : " " + override.id()) + ": "
                            + limit.limit() + " instead of " + wanted);
                }
            });
        }
        return differing;
    }

    /** Finds the policies that apply to a request. */
    MatchedRequest apply(@Nullable String[] values, long permits) {
        return apply(PolicySelection.all(), values, permits);
    }

    /** Finds the selected policies that apply to a request. */
    MatchedRequest apply(PolicySelection selection, @Nullable String[] values, long permits) {
        return apply(selection, values, permits, Holding.LOOKS);
    }

    /** Finds the policies that apply to a request, without those that limit concurrency. */
    MatchedRequest applyWithoutConcurrency(@Nullable String[] values, long permits) {
        return apply(PolicySelection.all(), values, permits, Holding.NEVER);
    }

    /** Finds the selected policies that apply to a request whose caller gives back what it holds. */
    MatchedRequest enter(PolicySelection selection, @Nullable String[] values, long permits) {
        return apply(selection, values, permits, Holding.ENTERS);
    }

    private MatchedRequest apply(PolicySelection selection, @Nullable String[] values, long permits, Holding holding) {
        ThreadScratch scratch = ThreadScratch.ofThread();
        IntList found = scratch.found;
        index.all(values, found);
        MatchedRequest request = new MatchedRequest(scratch, values, permits, found.size(), holding);
        for (int i = 0; i < found.size(); i++) {
            Rule rule = rules[found.get(i)];
            String key = selection.includes(rule.policy.name()) ? rule.key.format(values) : null;
            if (key != null) {
                request.add(rule, key);
            }
        }
        return request;
    }
}
