package io.sluice.policy;

import io.sluice.Limit;
import io.sluice.RateLimiter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A policy, compiled. Immutable but for its counters. */
final class Rule {
    final Policy policy;
    final PolicyCounters counters;
    final KeyText key;

    /** Whether the shared store counts, or this process's own. */
    final boolean shared;

    /** Whether its verdict counts, or is only told. */
    final boolean enforces;

    private final Tally own;
    private final Index overrides;
    private final Tally[] overriding;
    private final @Nullable Matcher privileged;

    /** @param overriding one for each override of the policy */
    Rule(
            Policy policy,
            boolean shared,
            Attributes attributes,
            Tally own,
            List<Tally> overriding,
            PolicyCounters counters) {
        this(
                policy,
                shared,
                counters,
                new KeyText(policy.key(), attributes),
                own,
                new Index(policy.overrides().stream().map(LimitOverride::match).toList(), attributes),
                overriding.toArray(Tally[]::new),
                policy.reserve() == null ? null : new Matcher(policy.reserve().match(), attributes));
    }

    private Rule(
            Policy policy,
            boolean shared,
            PolicyCounters counters,
            KeyText key,
            Tally own,
            Index overrides,
            Tally[] overriding,
            @Nullable Matcher privileged) {
        this.policy = policy;
        this.shared = shared;
        this.enforces = policy.mode() == Mode.ENFORCE;
        this.counters = counters;
        this.key = key;
        this.own = own;
        this.overrides = overrides;
        this.overriding = overriding;
        this.privileged = privileged;
    }

    /** The same with the limits that are in force by now. */
    Rule inForce(Map<RateLimiter, Limit> limits) {
        return new Rule(
                policy,
                shared,
                counters,
                key,
                inForce(own, limits),
                overrides,
                Arrays.stream(overriding).map(tally -> inForce(tally, limits)).toArray(Tally[]::new),
                privileged);
    }

    private Tally inForce(Tally tally, Map<RateLimiter, Limit> limits) {
        Limit now = tally.limiter() == null ? null : limits.get(tally.limiter());
        return now == null ? tally : tally.inForce(now, policy.reserve());
    }

    /** Who counts for it. */
    List<RateLimiter> limiters() {
        List<RateLimiter> limiters = new ArrayList<>();
        Stream.concat(Stream.of(own), Arrays.stream(overriding)).forEach(tally -> {
            if (tally.limiter() != null) {
                limiters.add(tally.limiter());
            }
        });
        return limiters;
    }

    /** The limit for a request that matches the policy. */
    Tally tally(@Nullable String[] values) {
        if (overriding.length == 0) {
            return own;
        }
        int first = overrides.first(values);
        return first < 0 ? own : overriding[first];
    }

    /** The permits that are kept from such a request. */
    long kept(Tally tally, @Nullable String[] values) {
        return privileged == null || privileged.matches(values) ? 0 : tally.kept();
    }

    /** The policy's own and those of its overrides that can apply. */
    Stream<Tally> tallies() {
        Set<String> seen = new HashSet<>();
        return Stream.concat(
                Stream.of(own),
                Arrays.stream(overriding)
                        .filter(tally -> tally.override() != null
                                && seen.add(tally.override().match().toString())));
    }

    Index overrides() {
        return overrides;
    }

    @Nullable
    Matcher privileged() {
        return privileged;
    }
}
