package io.sluice.policy;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.LimiterSpec;
import io.sluice.MemoryStore;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/*
 * State belongs to a policy's name and an override's name or match. So each of these is a limiter of that name in the
 * store, and putting a new version of the policies in force is one step there: enforce.
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

    private final Store shared;
    private final MemoryStore own;
    private final Map<String, PolicyCounters> counters = new ConcurrentHashMap<>();
    private final Map<Store, RateLimiter> deniers = new ConcurrentHashMap<>();

    Installer(Store shared, MemoryStore own) {
        this.shared = shared;
        this.own = own;
    }

    /** A charge that is always denied, on a store where policies count. */
    Charge denied(Store store) {
        return Objects.requireNonNull(deniers.get(store)).charge("", 1);
    }

    /** What was counted of each policy, by name, also of those that are no more. */
    Map<String, PolicyCounters> counters() {
        return counters;
    }

    /**
     * @param version what the policies are called
     * @param revision limits of a lower one are replaced in the store, those of a higher one stay
     */
    Ruleset install(Policies policies, long version, long revision) {
        List<Policy> on = policies.policies().stream()
                .filter(policy -> policy.mode() != Mode.OFF)
                .toList();
        Map<String, RateLimiter> inShared = enforce(shared, on, true, revision);
        Map<String, RateLimiter> inOwn = shared == own ? inShared : enforce(own, on, false, revision);
        Attributes attributes = Attributes.of(on);
        List<Rule> rules = new ArrayList<>(on.size());
        for (Policy policy : on) {
            boolean isShared = isShared(policy);
            Map<String, RateLimiter> limiters = isShared ? inShared : inOwn;
            rules.add(new Rule(
                    policy,
                    isShared,
                    attributes,
                    tally(policy, null, limiters),
                    policy.overrides().stream()
                            .map(override -> tally(policy, override, limiters))
                            .toList(),
                    counters.computeIfAbsent(policy.name(), unused -> new PolicyCounters())));
        }
        return new Ruleset(policies, version, attributes, rules).inForce(shared);
    }

    /** The same rules with the limits that are in force by now. */
    Ruleset inForce(Ruleset rules) {
        return rules.inForce(shared);
    }

    private boolean isShared(Policy policy) {
        return shared == own || policy.scope() == Scope.SHARED;
    }

    private Map<String, RateLimiter> enforce(Store store, List<Policy> policies, boolean isShared, long revision) {
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
        List<RateLimiter> limiters = store.enforce(List.copyOf(specs.values()));
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
