package io.sluice.testkit;

/**
 * Permits asked of one model for one key, to be decided together with others by {@link ReferenceModel#decide}.
 *
 * @param permits how many; 0 only looks
 * @param kept how many are kept for others: it is judged as if it asked for so many more
 * @param shadow whether its verdict is only told
 */
public record Ask(ReferenceModel model, String key, long permits, long kept, boolean shadow) {
    public Ask {
        ReferenceModel.requirePermits(permits);
        ReferenceModel.requirePermits(kept);
    }

    /** One that counts, with nothing kept. */
    public Ask(ReferenceModel model, String key, long permits) {
        this(model, key, permits, 0, false);
    }

    /** This and another of the same key, as one. */
    Ask and(Ask other) {
        return new Ask(model, key, sum(permits, other.permits), Math.max(kept, other.kept), shadow && other.shadow);
    }

    /** What it is judged by. */
    long judged() {
        return sum(permits, kept);
    }

    /** Saturates: so many are never had, except where they are unlimited. */
    private static long sum(long x, long y) {
        return x > Long.MAX_VALUE - y ? Long.MAX_VALUE : x + y;
    }
}
