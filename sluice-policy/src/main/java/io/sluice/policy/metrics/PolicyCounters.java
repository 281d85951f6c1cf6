package io.sluice.policy.metrics;

import io.sluice.Decision;
import io.sluice.policy.Counts;
import io.sluice.policy.DecisionCounts;
import io.sluice.policy.Mode;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts the decisions of one policy, or of all requests. Each decision is in exactly one of the counters. The engine
 * counts; alerts and metrics read. Thread-safe.
 */
public final class PolicyCounters {
    private final LongSupplier evicted;

    final LongAdder allowed = new LongAdder();
    final LongAdder denied = new LongAdder();
    final LongAdder shadowDenied = new LongAdder();

    /** The decisions without the store; they are not in the counters above. */
    final LongAdder degradedAllowed = new LongAdder();

    final LongAdder degradedDenied = new LongAdder();
    final LongAdder degradedShadowDenied = new LongAdder();

    /** Counters of a store that evicts no keys. */
    public PolicyCounters() {
        this(() -> 0);
    }

    /** @param evicted reads the number of keys that were evicted so far */
    public PolicyCounters(LongSupplier evicted) {
        this.evicted = evicted;
    }

    /** The number of keys that were evicted so far. */
    long evicted() {
        return evicted.getAsLong();
    }

    /** Counts the decision of one policy. */
    public void count(Mode mode, Decision decision) {
        if (decision.allowed() || mode == Mode.ENFORCE) {
            count(decision.allowed(), decision.degraded());
        } else {
            (decision.degraded() ? degradedShadowDenied : shadowDenied).increment();
        }
    }

    /**
     * Counts the decision on a request. One that was allowed although a shadow policy would have denied counts as
     * shadow-denied.
     */
    public void count(boolean allowed, boolean shadowDenied, boolean degraded) {
        if (allowed && shadowDenied) {
            (degraded ? degradedShadowDenied : this.shadowDenied).increment();
        } else {
            count(allowed, degraded);
        }
    }

    void count(boolean allowed, boolean degraded) {
        if (degraded) {
            (allowed ? degradedAllowed : degradedDenied).increment();
        } else {
            (allowed ? this.allowed : denied).increment();
        }
    }

    /** The number of decisions without the store. */
    long degraded() {
        return degradedAllowed.sum() + degradedDenied.sum() + degradedShadowDenied.sum();
    }

    /** The counts of all requests and of each policy. */
    public static DecisionCounts read(PolicyCounters requests, Map<String, PolicyCounters> policies) {
        Map<String, Counts> each = new TreeMap<>();
        policies.forEach((name, counters) -> each.put(name, counters.read()));
        return new DecisionCounts(requests.read(), each);
    }

    /** The counts so far. May or may not include decisions that are being counted. */
    public Counts read() {
        long withoutStoreAllowed = degradedAllowed.sum();
        long withoutStoreDenied = degradedDenied.sum();
        long withoutStoreShadow = degradedShadowDenied.sum();
        return new Counts(
                allowed.sum() + withoutStoreAllowed,
                denied.sum() + withoutStoreDenied,
                shadowDenied.sum() + withoutStoreShadow,
                withoutStoreAllowed + withoutStoreDenied + withoutStoreShadow,
                evicted());
    }
}
