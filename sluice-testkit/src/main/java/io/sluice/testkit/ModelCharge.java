package io.sluice.testkit;

/**
 * A charge on a reference model: permits for one key, decided together with other charges by {@link ReferenceModel#decide}.
 *
 * @param permits the number of permits; 0 only looks
 * @param kept permits that are kept for other requests: the charge is judged as if it asked for {@code permits + kept}
 * @param shadow whether the verdict is only reported and never denies
 */
public record ModelCharge(ReferenceModel model, String key, long permits, long kept, boolean shadow) {
    public ModelCharge {
        ReferenceModel.requirePermits(permits);
        ReferenceModel.requirePermits(kept);
    }

    /** A charge that enforces its limit and keeps no permits for others. */
    public ModelCharge(ReferenceModel model, String key, long permits) {
        this(model, key, permits, 0, false);
    }

    /** The sum of two charges on the same key. */
    ModelCharge and(ModelCharge other) {
        return new ModelCharge(
                model, key, sum(permits, other.permits), Math.max(kept, other.kept), shadow && other.shadow);
    }

    /** The number of permits by which the charge is judged. */
    long judged() {
        return sum(permits, kept);
    }

    /** A sum that saturates. No limit but {@code unlimited} ever allows that many permits. */
    private static long sum(long x, long y) {
        return x > Long.MAX_VALUE - y ? Long.MAX_VALUE : x + y;
    }
}
