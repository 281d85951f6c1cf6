package io.sluice.testkit;

/**
 * Permits asked of one model for one key, to be decided together with others by {@link ReferenceModel#decide}.
 *
 * @param permits how many; 0 only looks
 */
public record Ask(ReferenceModel model, String key, long permits) {
    public Ask {
        ReferenceModel.requirePermits(permits);
    }
}
