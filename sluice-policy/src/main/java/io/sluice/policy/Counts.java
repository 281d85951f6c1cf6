package io.sluice.policy;

/**
 * The number of decisions of one policy or on all requests. Each decision is allowed, denied or shadow-denied.
 *
 * @param allowed the allowed decisions
 * @param denied the denied decisions
 * @param shadowDenied the decisions that a policy in {@link Mode#SHADOW} would have denied
 * @param degraded those of all these decisions that were made without the store
 * @param evicted the keys (not decisions) that were evicted because the memory of this process was full
 * @param debt the permits (not decisions) that were charged beyond the limit
 */
public record Counts(long allowed, long denied, long shadowDenied, long degraded, long evicted, long debt) {
    /** No decisions. */
    public static final Counts NONE = new Counts(0, 0, 0, 0);

    /** Counts without evicted keys and debts. */
    public Counts(long allowed, long denied, long shadowDenied, long degraded) {
        this(allowed, denied, shadowDenied, degraded, 0);
    }

    /** Counts without debts. */
    public Counts(long allowed, long denied, long shadowDenied, long degraded, long evicted) {
        this(allowed, denied, shadowDenied, degraded, evicted, 0);
    }

    /** The number of all decisions. */
    public long total() {
        return allowed + denied + shadowDenied;
    }

    /** The decisions since an earlier reading. */
    public Counts since(Counts earlier) {
        return new Counts(
                allowed - earlier.allowed,
                denied - earlier.denied,
                shadowDenied - earlier.shadowDenied,
                degraded - earlier.degraded,
                evicted - earlier.evicted,
                debt - earlier.debt);
    }

    /**
     * {@code total 10, allowed 7, denied 3, shadow-denied 0, degraded 0}, in the terms of alerts; with {@code evicted
     * 5} if keys were evicted, and {@code debt 30} if permits were charged beyond the limit.
     */
    @Override
    public String toString() {
        return "total " + total() + ", allowed " + allowed + ", denied " + denied + ", shadow-denied " + shadowDenied
                + ", degraded " + degraded + (evicted == 0 ? "" : ", evicted " + evicted)
                + (debt == 0 ? "" : ", debt " + debt);
    }
}
