package io.sluice.testkit;

import io.sluice.spi.Taking;

/**
 * A charge on a reference model: permits for one key, decided together with other charges by {@link ReferenceModel#decide}.
 *
 * @param permits the number of permits; 0 only looks
 * @param kept permits that are kept for other requests: the charge is judged as if it asked for {@code permits + kept}
 * @param shadow whether the verdict is only reported and never denies
 * @param taking when the permits are taken
 */
public record ModelCharge(ReferenceModel model, String key, long permits, long kept, boolean shadow, Taking taking) {
    public ModelCharge {
        ReferenceModel.requirePermits(permits);
        ReferenceModel.requirePermits(kept);
    }

    /** A charge whose permits are taken if the whole request is allowed. */
    public ModelCharge(ReferenceModel model, String key, long permits, long kept, boolean shadow) {
        this(model, key, permits, kept, shadow, Taking.IF_ADMITTED);
    }

    /** A charge that enforces its limit and keeps no permits for others. */
    public ModelCharge(ReferenceModel model, String key, long permits) {
        this(model, key, permits, 0, false);
    }

    /** The sum of two charges on the same key. */
    ModelCharge and(ModelCharge other) {
        return new ModelCharge(
                model,
                key,
                sum(permits, other.permits),
                Math.max(kept, other.kept),
                shadow && other.shadow,
                taking == other.taking ? taking : Taking.IF_ADMITTED);
    }

    /** The number of permits that the request asks for. */
    long asked() {
        return taking == Taking.FIRST ? 0 : permits;
    }

    /** A sum that saturates. No limit but {@code unlimited} ever allows that many permits. */
    static long sum(long x, long y) {
        return x > Long.MAX_VALUE - y ? Long.MAX_VALUE : x + y;
    }
}
