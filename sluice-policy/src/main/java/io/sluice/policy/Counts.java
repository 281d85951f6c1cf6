package io.sluice.policy;

/**
 * How many decisions there were, of one policy or of all requests. Every decision is allowed, denied or shadow-denied;
 * those that were made without the store are among these.
 *
 * @param allowed how many were allowed
 * @param denied how many were denied
 * @param shadowDenied how many a policy in {@link Mode#SHADOW} would have denied
 * @param degraded how many of all these were made without the store
 * @param evicted how many keys lost what they had used because this process's memory held too many; no decisions
 */
public record Counts(long allowed, long denied, long shadowDenied, long degraded, long evicted) {
    /** None. */
    public static final Counts NONE = new Counts(0, 0, 0, 0);

    /** With no key evicted. */
    public Counts(long allowed, long denied, long shadowDenied, long degraded) {
        this(allowed, denied, shadowDenied, degraded, 0);
    }

    /** How many there were. */
    public long total() {
        return allowed + denied + shadowDenied;
    }

    /** What came since then. */
    public Counts since(Counts earlier) {
        return new Counts(
                allowed - earlier.allowed,
                denied - earlier.denied,
                shadowDenied - earlier.shadowDenied,
                degraded - earlier.degraded,
                evicted - earlier.evicted);
    }

    /**
     * As alerts call them: {@code total 10, allowed 7, denied 3, shadow-denied 0, degraded 0}, and {@code evicted 5} if keys
     * were.
     */
    @Override
    public String toString() {
        return "total " + total() + ", allowed " + allowed + ", denied " + denied + ", shadow-denied " + shadowDenied
                + ", degraded " + degraded + (evicted == 0 ? "" : ", evicted " + evicted);
    }
}
