package io.sluice;

import java.util.Objects;

/**
 * The options of a limiter besides its limits.
 *
 * <pre>{@code
 * store.limiter("login", LimiterOptions.onFailure(OnFailure.DENY), Limit.parse("sliding-log 5 per 1m"));
 * }</pre>
 *
 * @param onFailure what to do if the store does not answer in time
 * @param revision orders limits from several processes for the same name. Limits with a higher revision than the store has
 *     replace the limits in force, like {@code update}. Otherwise the limits in force apply.
 */
public record LimiterOptions(OnFailure onFailure, long revision) {
    public LimiterOptions {
        Objects.requireNonNull(onFailure, "onFailure");
        if (revision < 0) {
            throw new IllegalArgumentException("revision: " + revision + " (expected: >= 0)");
        }
    }

    /** Options with revision 0. */
    public static LimiterOptions onFailure(OnFailure onFailure) {
        return new LimiterOptions(onFailure, 0);
    }

    /** These options with another revision. */
    public LimiterOptions revision(long revision) {
        return new LimiterOptions(onFailure, revision);
    }
}
