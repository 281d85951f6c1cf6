package io.sluice.policy.engine;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.adapt.ScaledLimit;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Mode;
import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.Reserve;
import io.sluice.policy.Scope;
import io.sluice.policy.envoy.EnvoyConfig;
import io.sluice.policy.match.AttributeSlots;
import io.sluice.policy.metrics.PolicyCounters;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.PolicyStore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/*
 * State belongs to the name of a policy, and to the name or match of an override. So each of these is a limiter of that
 * name in the store. A new version of the policies is put in force in one step of the store: enforce. All other work is
 * done before that step, so that no request waits between that step and the new rules.
 *
 * Unlimited and blocked policies need no limiter. If such a policy had a limit before, its state stays in the store. If
 * the limit comes back, it continues with that state.
 */

/** Puts policies in force. Public for {@link PolicyEngine}, which creates it. Thread-safe. */
public final class Installer {
    /**
     * Stands between the name of a policy and the name of an override; twice before the match of an override without a
     * name.
     */
    private static final String SEPARATOR = "\n";

    /** The limiter that denies everything. No policy has this name, because names are printable. */
    private static final String DENIED = "\ndenied";

    private final PolicyStore shared;
    private final MemoryStore own;
    private final TemporaryLimits temporaries;
    private final Factors factors;
    private final Map<String, PolicyCounters> counters = new ConcurrentHashMap<>();

    /** The limiters in the memory store of each policy, by its name; also those of earlier versions. */
    private final Map<String, Set<String>> memoryLimiters = new ConcurrentHashMap<>();

    private final Map<PolicyStore, RateLimiter> denyingLimiters = new ConcurrentHashMap<>();

    /** @param own the memory store of this process; may be the same object as the shared store */
    public Installer(PolicyStore shared, MemoryStore own, TemporaryLimits temporaries, Factors factors) {
        this.factors = factors;
        this.shared = shared;
        this.own = own;
        this.temporaries = temporaries;
    }

    /** A charge that is always denied. */
    Charge deniedCharge(PolicyStore store) {
        return Objects.requireNonNull(denyingLimiters.get(store)).charge("", 1);
    }

    Factors factors() {
        return factors;
    }

    /** The counters of each policy, by its name; also those of policies that no longer exist. */
    public Map<String, PolicyCounters> counters() {
        return counters;
    }

    /**
     * Compiles policies and creates their limiters, which takes time. Changes nothing that is in force.
     *
     * @param envoy the envoyproxy/ratelimit files that the policies come from, if any
     * @param revision replaces limits of a lower revision in the store; limits of a higher revision stay
     */
    PreparedRuleset prepare(Policies policies, @Nullable EnvoyConfig envoy, long revision) {
        List<Policy> enabled = policies.policies().stream()
                .filter(policy -> policy.mode() != Mode.OFF)
                .toList();
        // A factor may change meanwhile, and the limiters and rules must have the same one.
        Map<String, BigDecimal> by = new HashMap<>();
        for (Policy policy : enabled) {
            BigDecimal factor = factors.of(policy);
            if (factor != null) {
                by.put(policy.name(), factor);
            }
        }
        List<LimiterSpec> sharedSpecs = specs(enabled, true, revision, by);
        List<LimiterSpec> ownSpecs = shared == own ? List.of() : specs(enabled, false, revision, by);
        List<RateLimiter> sharedLimiters = shared.limiters(sharedSpecs);
        List<RateLimiter> ownLimiters = own.limiters(ownSpecs);
        Map<String, RateLimiter> sharedByName = byName(shared, sharedLimiters);
        Map<String, RateLimiter> ownByName = shared == own ? sharedByName : byName(own, ownLimiters);
        AttributeSlots attributes = AttributeSlots.of(enabled);
        List<Rule> rules = new ArrayList<>(enabled.size());
        for (Policy policy : enabled) {
            Rule rule = rule(policy, attributes, isShared(policy) ? sharedByName : ownByName, by.get(policy.name()));
            rules.add(rule);
            if (!rule.shared || shared == own) {
                Set<String> names =
                        memoryLimiters.computeIfAbsent(policy.name(), name -> ConcurrentHashMap.newKeySet());
                rule.limiters().forEach(limiter -> names.add(limiter.name()));
            }
        }
        Ruleset ruleset = new Ruleset(policies, envoy, attributes, rules);
        return new PreparedRuleset(ruleset, sharedSpecs, ownSpecs, sharedLimiters, ownLimiters);
    }

    private Rule rule(
            Policy policy, AttributeSlots attributes, Map<String, RateLimiter> limiters, @Nullable BigDecimal factor) {
        return new Rule(
                policy,
                isShared(policy),
                shared == own ? Scope.PROCESS : policy.scope(),
                attributes,
                policyLimit(policy, null, limiters, factor),
                policy.overrides().stream()
                        .map(override -> policyLimit(policy, override, limiters, factor))
                        .toList(),
                factor,
                counters.computeIfAbsent(policy.name(), name -> PolicyCounters.ofPolicy(() -> evictions(name))),
                temporaries);
    }

    /** The number of keys of a policy that were evicted from the memory of this process. */
    private long evictions(String policy) {
        return memoryLimiters.getOrDefault(policy, Set.of()).stream()
                .mapToLong(own::evictions)
                .sum();
    }

    /** Puts the limits in force. */
    void enforce(PreparedRuleset prepared) {
        shared.enforce(prepared.shared());
        if (!prepared.own().isEmpty()) {
            own.enforce(prepared.own());
        }
    }

    /** Whether the limits in force are those of the policies. */
    boolean isEnforced(PreparedRuleset prepared) {
        return isEnforced(shared, prepared.sharedLimiters(), prepared.shared())
                && isEnforced(own, prepared.ownLimiters(), prepared.own());
    }

    private static boolean isEnforced(PolicyStore store, List<RateLimiter> limiters, List<LimiterSpec> specs) {
        List<List<Limit>> limits = store.limits(limiters);
        for (int i = 0; i < specs.size(); i++) {
            if (!limits.get(i).equals(List.of(specs.get(i).limit()))) {
                return false;
            }
        }
        return true;
    }

    /** Releases the limiters of policies that are not, or no longer, in force. */
    void release(PreparedRuleset prepared) {
        shared.release(prepared.sharedLimiters());
        own.release(prepared.ownLimiters());
    }

    /** The same rules with the limits that are in force now. */
    Ruleset withCurrentLimits(Ruleset rules) {
        return rules.withCurrentLimits(shared);
    }

    private boolean isShared(Policy policy) {
        return shared == own || policy.scope() == Scope.SHARED;
    }

    private List<LimiterSpec> specs(
            List<Policy> policies, boolean isShared, long revision, Map<String, BigDecimal> by) {
        Map<String, LimiterSpec> specs = new LinkedHashMap<>();
        for (Policy policy : policies) {
            if (isShared(policy) == isShared) {
                LimiterOptions options =
                        LimiterOptions.onFailure(policy.onStoreFailure()).revision(revision);
                BigDecimal factor = by.get(policy.name());
                add(specs, limiterName(policy, null), options, scaled(policy.limit(), factor));
                policy.overrides()
                        .forEach(override ->
                                add(specs, limiterName(policy, override), options, scaled(override.limit(), factor)));
            }
        }
        // In the shared store, further charges of a caller may be decided together with a blocked policy, which has no
        // charge.
        if (isShared || !specs.isEmpty()) {
            LimiterOptions options = LimiterOptions.onFailure(OnFailure.DENY).revision(revision);
            specs.put(DENIED, new LimiterSpec(DENIED, options, Limit.blocked()));
        }
        return List.copyOf(specs.values());
    }

    private Map<String, RateLimiter> byName(PolicyStore store, List<RateLimiter> limiters) {
        Map<String, RateLimiter> byName = new HashMap<>();
        for (RateLimiter limiter : limiters) {
            byName.put(limiter.name(), limiter);
        }
        RateLimiter denying = byName.get(DENIED);
        if (denying != null) {
            denyingLimiters.put(store, denying);
        }
        return byName;
    }

    /** Of overrides with the same match, only the first can apply. */
    private static void add(Map<String, LimiterSpec> specs, String name, LimiterOptions options, Limit limit) {
        if (PolicyLimit.isCounted(limit)) {
            specs.putIfAbsent(name, new LimiterSpec(name, options, limit));
        }
    }

    private static Limit scaled(Limit limit, @Nullable BigDecimal factor) {
        return factor == null ? limit : ScaledLimit.of(limit, factor).limit();
    }

    private static PolicyLimit policyLimit(
            Policy policy,
            @Nullable LimitOverride override,
            Map<String, RateLimiter> limiters,
            @Nullable BigDecimal factor) {
        Limit limit = scaled(override == null ? policy.limit() : override.limit(), factor);
        RateLimiter limiter = PolicyLimit.isCounted(limit) ? limiters.get(limiterName(policy, override)) : null;
        Reserve reserve = policy.reserve();
        return new PolicyLimit(override, limit, reserve == null ? 0 : reserve.permitsOf(limit), limiter);
    }

    /** The separator is not printable, so a limiter of an override never has the name of a policy. */
    private static String limiterName(Policy policy, @Nullable LimitOverride override) {
        if (override == null) {
            return policy.name();
        }
        return policy.name() + (override.name() == null ? SEPARATOR + SEPARATOR : SEPARATOR) + override.id();
    }
}
