package io.sluice.policy;

import io.sluice.Decision;
import io.sluice.RateLimiter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The buckets of one request, or of one key of a policy: to look at, or to forget. */
final class Buckets {
    /** @param kept what is kept from the request for others */
    private record Place(Rule rule, Tally tally, String key, Map<String, String> shown, long kept) {
        Decision state(Decision look) {
            return new Decision(
                    look.allowed(),
                    Math.max(0, look.remaining() - kept),
                    look.retryAfterMicros(),
                    look.delayMicros(),
                    look.resetAfterMicros(),
                    look.degraded());
        }

        CompletionStage<Bucket> look() {
            RateLimiter limiter = tally.limiter();
            CompletionStage<Decision> state = limiter == null
                    ? CompletableFuture.completedFuture(tally.constant())
                    : limiter.peekAsync(key, 1 + kept).thenApply(this::state);
            return state.thenApply(found -> new Bucket(rule.policy, tally.override(), shown, tally.limit(), found));
        }

        CompletionStage<Void> forget() {
            RateLimiter limiter = tally.limiter();
            return limiter == null ? CompletableFuture.completedFuture(null) : limiter.resetAsync(key);
        }
    }

    private final List<Place> places;

    private Buckets(List<Place> places) {
        this.places = places;
    }

    /** Those that a request is charged on. */
    static Buckets of(Ruleset rules, Map<String, String> attributes) {
        @Nullable String[] values = rules.attributes.values(attributes);
        IntList found = new IntList();
        rules.index.all(values, found);
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            Rule rule = rules.rules[found.get(i)];
            String key = rule.key.of(values);
            if (key != null) {
                Tally tally = rule.tally(values);
                places.add(new Place(rule, tally, key, rule.key.display(values), rule.kept(tally, values)));
            }
        }
        return new Buckets(places);
    }

    /** Those of a policy, by key: which override applies is not known, so all of them. */
    static Buckets of(Ruleset rules, String policy, Map<String, String> key) {
        Rule rule = rule(rules, policy);
        @Nullable String[] values = rules.attributes.values(KeyReader.attributes(rule.policy.key(), key));
        String text = Objects.requireNonNull(rule.key.of(values));
        return new Buckets(rule.tallies()
                .map(tally -> new Place(rule, tally, text, rule.key.display(values), 0))
                .toList());
    }

    private static Rule rule(Ruleset rules, String policy) {
        return Arrays.stream(rules.rules)
                .filter(rule -> rule.policy.name().equals(policy))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("policy: " + Texts.quoted(policy)
                        + Arrays.stream(rules.rules)
                                .map(rule -> rule.policy.name())
                                .collect(Collectors.joining(", ", " (expected: one of ", ")"))));
    }

    CompletionStage<List<Bucket>> inspect() {
        return each(Place::look);
    }

    /** A store that is away takes a reset for done, as it denies and allows by itself; so it has to answer before and after. */
    CompletionStage<List<Bucket>> reset() {
        return inspect()
                .thenApply(Buckets::answered)
                .thenCompose(before -> each(Place::forget))
                .thenCompose(done -> inspect())
                .thenApply(Buckets::answered);
    }

    private static List<Bucket> answered(List<Bucket> buckets) {
        if (buckets.stream().anyMatch(bucket -> bucket.state().degraded())) {
            throw new IllegalStateException("the store cannot be reached");
        }
        return buckets;
    }

    private <T> CompletionStage<List<T>> each(Function<Place, CompletionStage<T>> step) {
        List<CompletableFuture<T>> all = places.stream()
                .map(place -> step.apply(place).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).thenApply(done -> {
            List<T> found = new ArrayList<>();
            all.forEach(future -> found.add(future.join()));
            return found;
        });
    }
}
