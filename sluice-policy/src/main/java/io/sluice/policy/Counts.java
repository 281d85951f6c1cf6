package io.sluice.policy;

/**
 * How many decisions there were, of one policy or of all requests. Every decision is allowed, denied or shadow-denied;
 * those that were made without the store are among these.
 *
 * @param allowed how many were allowed
 * @param denied how many were denied
 * @param shadowDenied how many a policy in {@link Mode#SHADOW} would have denied
 * @param degraded how many of all these were made without the store
 */
public record Counts(long allowed, long denied, long shadowDenied, long degraded) {
    /** None. */
    public static final Counts NONE = new Counts(0, 0, 0, 0);

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
                degraded - earlier.degraded);
    }

    /** As alerts call them: {@code total 10, allowed 7, denied 3, shadow-denied 0, degraded 0}. */
    @Override
    public String toString() {
        return "total " + total() + ", allowed " + allowed + ", denied " + denied + ", shadow-denied " + shadowDenied
                + ", degraded " + degraded;
    }
}
