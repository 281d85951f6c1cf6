package io.sluice.policy.metrics;

import io.sluice.Decision;
import io.sluice.policy.Counts;
import io.sluice.policy.DecisionCounts;
import io.sluice.policy.Mode;
import io.sluice.policy.OutcomeCounters;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts the decisions of one policy, or of all requests. Each decision is in exactly one of the counters. The engine
 * counts; alerts and metrics read. Thread-safe.
 */
public final class PolicyCounters implements OutcomeCounters {
    private final LongSupplier evicted;

    /** Allowed decisions of requests that took their permits; for the counters of all requests, all that were allowed. */
    private final LongAdder taken = new LongAdder();

    /** Allowed decisions of requests that took nothing, because another policy denied. */
    private final LongAdder untaken = new LongAdder();

    /** The permits of {@link #taken} beyond one for each decision. So a request for one permit costs one addition. */
    private final LongAdder furtherPermits = new LongAdder();

    /** Permits that were charged whatever was left; they are not among those of {@link #taken}. */
    private final LongAdder forcedPermits = new LongAdder();

    /** Those permits that were beyond the limit. */
    private final LongAdder debt = new LongAdder();

    private final LongAdder denied = new LongAdder();
    private final LongAdder shadowDenied = new LongAdder();

    /** The decisions without the store; they are not in the counters above. */
    private final LongAdder degradedAllowed = new LongAdder();

    private final LongAdder degradedDenied = new LongAdder();
    private final LongAdder degradedShadowDenied = new LongAdder();

    /** Requests to which a concurrency policy did not apply, because they could not give back. */
    private final LongAdder skipped = new LongAdder();

    private final AtomicBoolean everSkipped = new AtomicBoolean();

    private final boolean ofRequests;

    private PolicyCounters(boolean ofRequests, LongSupplier evicted) {
        this.ofRequests = ofRequests;
        this.evicted = evicted;
    }

    /**
     * The counters of one policy.
     *
     * @param evicted reads the number of its keys that were evicted so far
     */
    public static PolicyCounters ofPolicy(LongSupplier evicted) {
        return new PolicyCounters(false, evicted);
    }

    /**
     * The counters of all requests.
     *
     * @param evicted reads the number of keys that were evicted so far
     */
    public static PolicyCounters ofRequests(LongSupplier evicted) {
        return new PolicyCounters(true, evicted);
    }

    /**
     * Counts the decision of one policy.
     *
     * @param permits the permits of the request, at least 1
     * @param allowed whether the request as a whole was allowed; if not, it took nothing
     */
    public void count(Mode mode, Decision decision, long permits, boolean allowed) {
        if (!decision.allowed() && mode == Mode.SHADOW) {
            (decision.degraded() ? degradedShadowDenied : shadowDenied).increment();
        } else if (decision.degraded()) {
            (decision.allowed() ? degradedAllowed : degradedDenied).increment();
        } else if (!decision.allowed()) {
            denied.increment();
        } else if (!allowed) {
            untaken.increment();
        } else {
            taken.increment();
            if (permits > 1) {
                furtherPermits.add(permits - 1);
            }
        }
    }

    /**
     * Counts permits that were charged whatever was left, apart from the decision: by a policy that always charges, a charge
     * by force, or a cost that was higher than its estimate. Those that were charged without the store are not counted.
     *
     * @param after the decision of the policy, with the debt after the charge
     */
    public void countByForce(long permits, Decision after) {
        countByForce(permits, after, 0);
    }

    /**
     * Counts permits that were charged together with others on the same key.
     *
     * @param others those of the others that are counted already
     */
    public void countByForce(long permits, Decision after, long others) {
        if (!after.degraded()) {
            forcedPermits.add(permits);
            if (after.debt() > others) {
                debt.add(Math.min(permits, after.debt() - others));
            }
        }
    }

    /**
     * Counts the decision on a request. One that was allowed although a shadow policy would have denied counts as
     * shadow-denied.
     */
    public void count(boolean allowed, boolean shadowDenied, boolean degraded) {
        if (allowed && shadowDenied) {
            (degraded ? degradedShadowDenied : this.shadowDenied).increment();
        } else if (degraded) {
            (allowed ? degradedAllowed : degradedDenied).increment();
        } else {
            (allowed ? taken : denied).increment();
        }
    }

    /**
     * Counts a request to which the policy did not apply, because it has a concurrency limit and the request did not enter.
     *
     * @return whether it is the first one
     */
    public boolean countSkipped() {
        skipped.increment();
        return !everSkipped.get() && everSkipped.compareAndSet(false, true);
    }

    @Override
    public long allowed() {
        return taken.sum() + untaken.sum();
    }

    @Override
    public long denied() {
        return denied.sum();
    }

    @Override
    public long shadowDenied() {
        return shadowDenied.sum();
    }

    @Override
    public long degraded() {
        return degradedAllowed.sum() + degradedDenied.sum() + degradedShadowDenied.sum();
    }

    @Override
    public long permits() {
        return ofRequests ? 0 : taken.sum() + furtherPermits.sum() + forcedPermits.sum();
    }

    @Override
    public long debt() {
        return debt.sum();
    }

    @Override
    public long skipped() {
        return skipped.sum();
    }

    @Override
    public long evicted() {
        return evicted.getAsLong();
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
                allowed() + withoutStoreAllowed,
                denied.sum() + withoutStoreDenied,
                shadowDenied.sum() + withoutStoreShadow,
                withoutStoreAllowed + withoutStoreDenied + withoutStoreShadow,
                evicted(),
                debt());
    }
}
