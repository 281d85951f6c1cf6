package io.sluice.policy;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.PolicyStore;
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
 * State belongs to a policy's name and an override's name or match. So each of these is a limiter of that name in the
 * store, and putting a new version of the policies in force is one step there: enforce. All else is done before, so that nobody
 * has to wait between that step and the rules that go with it.
 *
 * What is unlimited or blocked needs no limiter. If it had a limit before, that stays in the store as it was, and goes on
 * with what was used if the limit comes back.
 */
/** Puts policies in force. */
final class Installer {
    /** Between a policy's name and an override's; twice, and its match. */
    private static final String BETWEEN = "\n";

    /** The limiter that denies all. No policy is called so: its name would not be printable. */
    private static final String DENIED = "\ndenied";

    private final PolicyStore shared;
    private final MemoryStore own;
    private final Map<String, PolicyCounters> counters = new ConcurrentHashMap<>();

    /** The limiters that each policy has, or had, in the memory of this process. */
    private final Map<String, Set<String>> inMemory = new ConcurrentHashMap<>();

    private final Map<PolicyStore, RateLimiter> deniers = new ConcurrentHashMap<>();

    Installer(PolicyStore shared, MemoryStore own) {
        this.shared = shared;
        this.own = own;
    }

    /** A charge that is always denied, on a store where policies count. */
    Charge denied(PolicyStore store) {
        return Objects.requireNonNull(deniers.get(store)).charge("", 1);
    }

    /** What was counted of each policy, by name, also of those that are no more. */
    Map<String, PolicyCounters> counters() {
        return counters;
    }

    /**
     * Compiles policies and makes their limiters, which is what takes time. Changes nothing that is in force.
     *
     * @param envoy the files that the policies come from, if they do
     * @param revision limits of a lower one are replaced in the store, those of a higher one stay
     */
    Prepared prepare(Policies policies, @Nullable EnvoyConfig envoy, long revision) {
        List<Policy> on = policies.policies().stream()
                .filter(policy -> policy.mode() != Mode.OFF)
                .toList();
        List<LimiterSpec> specs = specs(on, true, revision);
        List<LimiterSpec> ownSpecs = shared == own ? List.of() : specs(on, false, revision);
        List<RateLimiter> limiters = shared.limiters(specs);
        List<RateLimiter> ownLimiters = own.limiters(ownSpecs);
        Map<String, RateLimiter> inShared = byName(shared, limiters);
        Map<String, RateLimiter> inOwn = shared == own ? inShared : byName(own, ownLimiters);
        Attributes attributes = Attributes.of(on);
        List<Rule> rules = new ArrayList<>(on.size());
        for (Policy policy : on) {
            boolean isShared = isShared(policy);
            Map<String, RateLimiter> named = isShared ? inShared : inOwn;
            rules.add(new Rule(
                    policy,
                    isShared,
                    attributes,
                    tally(policy, null, named),
                    policy.overrides().stream()
                            .map(override -> tally(policy, override, named))
                            .toList(),
                    counters.computeIfAbsent(policy.name(), name -> new PolicyCounters(() -> evictions(name)))));
            if (!isShared || shared == own) {
                rules.get(rules.size() - 1)
                        .limiters()
                        .forEach(limiter -> inMemory.computeIfAbsent(
                                        policy.name(), unused -> ConcurrentHashMap.newKeySet())
                                .add(limiter.name()));
            }
        }
        Ruleset ruleset = new Ruleset(policies, envoy, attributes, rules);
        return new Prepared(ruleset, specs, ownSpecs, limiters, ownLimiters);
    }

    /** How many keys of a policy were evicted from the memory of this process. */
    private long evictions(String policy) {
        return inMemory.getOrDefault(policy, Set.of()).stream()
                .mapToLong(own::evictions)
                .sum();
    }

    /** Puts limits in force. */
    void enforce(Prepared prepared) {
        shared.enforce(prepared.shared());
        if (!prepared.own().isEmpty()) {
            own.enforce(prepared.own());
        }
    }

    /** Whether the limits in force are those that the policies say. */
    boolean isInForce(Prepared prepared) {
        return isInForce(shared, prepared.inShared(), prepared.shared())
                && isInForce(own, prepared.inOwn(), prepared.own());
    }

    private static boolean isInForce(PolicyStore store, List<RateLimiter> limiters, List<LimiterSpec> specs) {
        List<List<Limit>> limits = store.limits(limiters);
        for (int i = 0; i < specs.size(); i++) {
            if (!limits.get(i).equals(List.of(specs.get(i).limit()))) {
                return false;
            }
        }
        return true;
    }

    /** Policies that are not, or no longer, in force. */
    void release(Prepared prepared) {
        shared.release(prepared.inShared());
        own.release(prepared.inOwn());
    }

    /** The same rules with the limits that are in force by now. */
    Ruleset inForce(Ruleset rules) {
        return rules.inForce(shared);
    }

    private boolean isShared(Policy policy) {
        return shared == own || policy.scope() == Scope.SHARED;
    }

    private List<LimiterSpec> specs(List<Policy> policies, boolean isShared, long revision) {
        Map<String, LimiterSpec> specs = new LinkedHashMap<>();
        for (Policy policy : policies) {
            if (isShared(policy) == isShared) {
                LimiterOptions options =
                        LimiterOptions.onFailure(policy.onStoreFailure()).revision(revision);
                add(specs, name(policy, null), options, policy.limit());
                policy.overrides().forEach(override -> add(specs, name(policy, override), options, override.limit()));
            }
        }
        // In the shared store, charges of others may be decided with a policy that blocks and counts nothing.
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
        RateLimiter denier = byName.get(DENIED);
        if (denier != null) {
            deniers.put(store, denier);
        }
        return byName;
    }

    /** Of overrides with the same match only the first can ever apply. */
    private static void add(Map<String, LimiterSpec> specs, String name, LimiterOptions options, Limit limit) {
        if (Tally.isCounted(limit)) {
            specs.putIfAbsent(name, new LimiterSpec(name, options, limit));
        }
    }

    private static Tally tally(Policy policy, @Nullable LimitOverride override, Map<String, RateLimiter> limiters) {
        Limit limit = override == null ? policy.limit() : override.limit();
        RateLimiter limiter = Tally.isCounted(limit) ? limiters.get(name(policy, override)) : null;
        Reserve reserve = policy.reserve();
        return new Tally(override, limit, reserve == null ? 0 : reserve.permitsOf(limit), limiter);
    }

    /** Names are printable, so no name meets a match. */
    private static String name(Policy policy, @Nullable LimitOverride override) {
        if (override == null) {
            return policy.name();
        }
        return policy.name() + (override.name() == null ? BETWEEN + BETWEEN : BETWEEN) + override.id();
    }
}
