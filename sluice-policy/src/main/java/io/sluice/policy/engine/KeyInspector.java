package io.sluice.policy.engine;

import io.sluice.RateLimiter;
import io.sluice.TimeSource;
import io.sluice.policy.CurrentWindow;
import io.sluice.policy.JsonText;
import io.sluice.policy.KeyStatus;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.match.IntList;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Inspects or resets keys of policies. {@link PolicyEngine} is its only user. */
public final class KeyInspector {
    /**
     * A key under one limit of a policy.
     *
     * @param shown the key for a reader
     * @param kept the permits that are kept from the request
     */
    private record Target(Rule rule, PolicyLimit limit, String key, Map<String, String> shown, long kept) {
        CompletionStage<KeyStatus> inspect(TimeSource time) {
            return limit.peekAsync(key, 1, kept)
                    .thenApply(state -> new KeyStatus(
                            rule.policy,
                            limit.override(),
                            shown,
                            limit.limit(),
                            state,
                            CurrentWindow.of(limit.limit(), time.wallMicros()),
                            limit.temporary() == null ? null : limit.temporary().override(),
                            rule.factor));
        }

        CompletionStage<Void> reset() {
            return limit.reset(key);
        }

        CompletionStage<Void> pause(Duration duration) {
            if (limit.temporary() != null) {
                throw new UnsupportedOperationException("the key has a temporary override"
                        + " (expected: none; put an override with the limit blocked to deny the key)");
            }
            RateLimiter limiter = limit.limiter();
            return limiter == null ? CompletableFuture.completedFuture(null) : limiter.pauseAsync(key, duration);
        }
    }

    private final List<Target> targets;
    private final TimeSource time;

    private KeyInspector(List<Target> targets, TimeSource time) {
        this.targets = targets;
        this.time = time;
    }

    /** The keys that a request with these attributes is charged on. */
    public static KeyInspector of(Ruleset rules, Map<String, String> attributes, TimeSource time) {
        @Nullable String[] values = rules.attributes.values(attributes);
        IntList found = new IntList();
        rules.index.all(values, found);
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            Rule rule = rules.rules[found.get(i)];
            String key = rule.key.format(values);
            if (key != null) {
                PolicyLimit limit = rule.limitFor(values, key);
                targets.add(new Target(rule, limit, key, rule.key.display(values), rule.keptFrom(values, limit)));
            }
        }
        return new KeyInspector(targets, time);
    }

    /** A key of one policy, under each of its limits: the key alone does not say which override applies. */
    public static KeyInspector of(Ruleset rules, String policy, Map<String, String> key, TimeSource time) {
        Rule rule = rule(rules, policy);
        String text = rule.keyText(key);
        TemporaryLimit temporary = rule.temporaryFor(text);
        List<Target> targets = rule.limits()
                .map(limit -> temporary == null ? limit : limit.temporarily(temporary, rule.policy.reserve()))
                .map(limit -> new Target(rule, limit, text, rule.display(key), 0))
                .toList();
        return new KeyInspector(targets, time);
    }

    /** See {@link PolicyEngine#displayKey}. */
    public static Map<String, String> display(Ruleset rules, String policy, Map<String, String> key) {
        return rule(rules, policy).display(key);
    }

    /** See {@link PolicyEngine#keyOf}. */
    public static Optional<Map<String, String>> keyOf(Ruleset rules, String policy, Map<String, String> attributes) {
        @Nullable String[] values = rules.attributes.values(attributes);
        for (int i = 0; i < rules.rules.length; i++) {
            Rule rule = rules.rules[i];
            if (rule.policy.name().equals(policy)) {
                boolean applies = rules.index.match(i).mismatches(values).isEmpty() && rule.key.format(values) != null;
                return applies ? Optional.of(rule.key.display(values)) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** See {@link PolicyEngine#overrideOf}. */
    public static Optional<LimitOverride> overrideOf(Ruleset rules, String policy, Map<String, String> attributes) {
        return Optional.ofNullable(rule(rules, policy)
                .limitFor(rules.attributes.values(attributes))
                .override());
    }

    static Rule rule(Ruleset rules, String policy) {
        return Arrays.stream(rules.rules)
                .filter(rule -> rule.policy.name().equals(policy))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("policy: " + JsonText.quoted(policy)
                        + Arrays.stream(rules.rules)
                                .map(rule -> rule.policy.name())
                                .collect(Collectors.joining(", ", " (expected: one of ", ")"))));
    }

    /** The status of each key. */
    public CompletionStage<List<KeyStatus>> inspect() {
        return forEach(target -> target.inspect(time));
    }

    /*
     * A store that cannot reach Redis reports a reset as done, as it allows and denies without Redis. So the store has
     * to answer an inspection before and after the reset.
     */

    /** Resets each key, and returns the status afterwards. */
    public CompletionStage<List<KeyStatus>> reset() {
        return inspect()
                .thenApply(KeyInspector::requireStore)
                .thenCompose(before -> forEach(Target::reset))
                .thenCompose(done -> inspect())
                .thenApply(KeyInspector::requireStore);
    }

    /** Pauses each key, and returns the status afterwards. */
    public CompletionStage<List<KeyStatus>> pause(Duration duration) {
        return inspect()
                .thenApply(KeyInspector::requireStore)
                .thenCompose(before -> forEach(target -> target.pause(duration)))
                .thenCompose(done -> inspect())
                .thenApply(KeyInspector::requireStore);
    }

    private static List<KeyStatus> requireStore(List<KeyStatus> statuses) {
        if (statuses.stream().anyMatch(status -> status.state().degraded())) {
            throw new IllegalStateException("the store cannot be reached");
        }
        return statuses;
    }

    private <T> CompletionStage<List<T>> forEach(Function<Target, CompletionStage<T>> step) {
        List<CompletableFuture<T>> all = targets.stream()
                .map(target -> step.apply(target).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).thenApply(done -> {
            List<T> found = new ArrayList<>();
            all.forEach(future -> found.add(future.join()));
            return found;
        });
    }
}
