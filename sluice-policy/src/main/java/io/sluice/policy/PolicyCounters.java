package io.sluice.policy;

import io.sluice.Decision;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** How often a policy, or all of them together, said what. Each decision is in exactly one of the counters. */
final class PolicyCounters {
    private final LongSupplier evicted;

    final LongAdder allowed = new LongAdder();
    final LongAdder denied = new LongAdder();
    final LongAdder shadowDenied = new LongAdder();

    /** Said without the store; not among the others. */
    final LongAdder degradedAllowed = new LongAdder();

    final LongAdder degradedDenied = new LongAdder();
    final LongAdder degradedShadowDenied = new LongAdder();

    /** Of what evicts no keys. */
    PolicyCounters() {
        this(() -> 0);
    }

    /** @param evicted how many keys were evicted so far */
    PolicyCounters(LongSupplier evicted) {
        this.evicted = evicted;
    }

    /** How many keys were evicted so far. */
    long evicted() {
        return evicted.getAsLong();
    }

    /** Counts what one policy said. */
    void count(Mode mode, Decision decision) {
        if (decision.allowed() || mode == Mode.ENFORCE) {
            count(decision.allowed(), decision.degraded());
        } else {
            (decision.degraded() ? degradedShadowDenied : shadowDenied).increment();
        }
    }

    /** Counts what a request was told: that it was let through only because a policy is in shadow counts as such. */
    void count(boolean allowed, boolean shadowed, boolean degraded) {
        if (allowed && shadowed) {
            (degraded ? degradedShadowDenied : shadowDenied).increment();
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

    /** How many were decided without the store. */
    long degraded() {
        return degradedAllowed.sum() + degradedDenied.sum() + degradedShadowDenied.sum();
    }

    /** What was counted so far; decisions that are counted meanwhile may be in it or not. */
    Counts read() {
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
