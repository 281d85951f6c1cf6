package io.sluice.policy.engine;

import io.sluice.CallLimiter;
import io.sluice.Decision;
import io.sluice.LimiterOptions;
import io.sluice.TimeSource;
import io.sluice.WarmUp;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.TemporaryOverride;
import io.sluice.spi.PolicyCharge;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.SettledCharge;
import io.sluice.spi.Taking;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/*
 * A key with a temporary override has two states. The override counts by a call limiter, whose limits come with the charges. The
 * state of the policy counts along, in the same decision, as a shadow charge: it never denies, and takes what it has. So it has the
 * use of that time when the override ends, whether the override was deleted, or ended while no process was running. And when an override
 * begins, what the key has used is charged to it first.
 */

/** The temporary overrides of an engine. {@link PolicyEngine} creates it. Thread-safe. */
public final class TemporaryLimits {
    /** Overrides that were set together. Rules compile each version once. */
    static final class Version {
        static final Version EMPTY = new Version(List.of());

        final List<TemporaryOverride> all;
        final Map<String, List<TemporaryOverride>> byPolicy;

        Version(List<TemporaryOverride> all) {
            this.all = List.copyOf(all);
            byPolicy = this.all.stream().collect(Collectors.groupingBy(TemporaryOverride::policy));
        }
    }

    private final PolicyStore shared;
    private final MemoryStore own;
    private final TimeSource time;
    private volatile Version version = Version.EMPTY;

    public TemporaryLimits(PolicyStore shared, MemoryStore own, TimeSource time) {
        this.shared = shared;
        this.own = own;
        this.time = time;
    }

    /** See {@link PolicyEngine#temporaryOverrides(List)}. */
    public void set(List<TemporaryOverride> overrides) {
        version = overrides.isEmpty() ? Version.EMPTY : new Version(overrides);
    }

    /** See {@link PolicyEngine#temporaryOverrides()}. */
    public List<TemporaryOverride> current() {
        Instant now = now();
        return version.all.stream().filter(each -> !each.isOver(now)).toList();
    }

    boolean areThere() {
        return !version.all.isEmpty();
    }

    Version version() {
        return version;
    }

    Instant now() {
        return Instant.EPOCH.plus(time.wallMicros(), ChronoUnit.MICROS);
    }

    /** The limits of the overrides of one rule, by the text of the key. Overrides that do not fit its key, or its limits, are left out. */
    Map<String, TemporaryLimit> compile(Rule rule, Version version) {
        Map<String, TemporaryLimit> limits = new HashMap<>();
        for (TemporaryOverride override : version.byPolicy.getOrDefault(rule.policy.name(), List.of())) {
            try {
                String key = rule.keyText(override.key());
                requireFitting(rule, override);
                limits.put(key, limit(rule, override, key));
            } catch (IllegalArgumentException e) {
                // The policies were replaced, and the policy has another key or another kind of limit now.
            }
        }
        return limits;
    }

    /** Permits that are held do not become permits that were used, nor the other way round. */
    private static void requireFitting(Rule rule, TemporaryOverride override) {
        rule.limits().filter(each -> !each.fits(override.limit())).findFirst().ifPresent(each -> {
            throw new IllegalArgumentException("limit: " + override.limit() + " (expected: "
                    + (each.limit().algorithm().holds() ? "a concurrency limit" : "no concurrency limit")
                    + ", unlimited or blocked, because the policy has " + each.limit() + ")");
        });
    }

    private TemporaryLimit limit(Rule rule, TemporaryOverride override, String key) {
        // Names of policies are printable, so no other policy and key have this text.
        return new TemporaryLimit(override, calls(rule), rule.policy.name() + "\n" + key);
    }

    private CallLimiter calls(Rule rule) {
        String name = "\ntemporary-" + rule.policy.onStoreFailure().name().toLowerCase(Locale.ROOT);
        return store(rule).callLimiter(name, LimiterOptions.onFailure(rule.policy.onStoreFailure()));
    }

    private PolicyStore store(Rule rule) {
        return rule.shared ? shared : own;
    }

    /** See {@link PolicyEngine#beginTemporary}. */
    public CompletionStage<Void> begin(Ruleset rules, TemporaryOverride override) {
        Rule rule = KeyInspector.rule(rules, override.policy());
        String key = rule.keyText(override.key());
        requireFitting(rule, override);
        if (rule.temporaryFor(key) != null) {
            // The use of the override that it replaces stays.
            return CompletableFuture.completedFuture(null);
        }
        TemporaryLimit limit = limit(rule, override, key);
        List<CompletableFuture<Long>> used =
                rule.limits().map(each -> used(each, key).toCompletableFuture()).toList();
        return CompletableFuture.allOf(used.toArray(CompletableFuture<?>[]::new))
                .thenCompose(done -> limit.calls().resetAsync(limit.key()))
                .thenCompose(done -> charge(
                        store(rule),
                        limit,
                        used.stream().mapToLong(CompletableFuture::join).max().orElse(0)));
    }

    /** The permits that a key has used, in debt those beyond the limit too, rounded up. What a warm-up has stored is no use, and what is held stays where it is. */
    private static CompletionStage<Long> used(PolicyLimit limit, String key) {
        if (limit.limiter() == null || limit.limit() instanceof WarmUp || limit.holds()) {
            return CompletableFuture.completedFuture(0L);
        }
        return limit.limiter().peekAsync(key, 0).thenApply(state -> {
            requireStore(state);
            return Math.max(0, limit.limit().capacity() - state.remaining()) + state.debt();
        });
    }

    /**
     * Settles the key of an override with what was settled on its policy. When the override began, the estimate was charged to it, as a
     * part of what was used.
     */
    CompletionStage<SettledCharge> settle(
            Rule rule, TemporaryLimit temporary, PolicyLimit limit, SettledCharge ofPolicy) {
        CompletionStage<Void> back = ofPolicy.less() > 0 && !(limit.limit() instanceof WarmUp)
                ? temporary.calls().refundAsync(temporary.key(), ofPolicy.less())
                : CompletableFuture.completedFuture(null);
        PolicyCharge more = new PolicyCharge(
                temporary.calls(),
                temporary.key(),
                ofPolicy.more(),
                temporary.override().limit(),
                0,
                false,
                null,
                Taking.FIRST);
        return back.thenCompose(unused -> store(rule).decideAsync(List.of(more)))
                .thenApply(decided -> new SettledCharge(
                        temporary.calls().name(),
                        temporary.key(),
                        ofPolicy.more(),
                        0,
                        decided.each().get(0)));
    }

    private static CompletionStage<Void> charge(PolicyStore store, TemporaryLimit limit, long used) {
        if (used == 0 || !PolicyLimit.isCounted(limit.override().limit())) {
            return CompletableFuture.completedFuture(null);
        }
        PolicyCharge charge = new PolicyCharge(
                limit.calls(), limit.key(), used, limit.override().limit(), 0, false, null, Taking.FIRST);
        return store.decideAsync(List.of(charge))
                .thenAccept(decided -> requireStore(decided.each().get(0)));
    }

    private static void requireStore(Decision decision) {
        if (decision.degraded()) {
            throw new IllegalStateException("the store cannot be reached");
        }
    }
}
