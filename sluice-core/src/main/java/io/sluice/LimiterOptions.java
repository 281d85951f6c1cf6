package io.sluice;

import java.util.Objects;

/**
 * What can be said of a limiter besides its limits.
 *
 * <pre>{@code
 * store.limiter("login", LimiterOptions.onFailure(OnFailure.DENY), Limit.parse("sliding-log 5 per 1m"));
 * }</pre>
 *
 * @param onFailure what to do when Redis does not answer
 * @param revision orders the limits that processes bring for one name: those with a higher revision than Redis knows
 *     replace the ones in force, as by {@code update}; others follow what is in force
 */
public record LimiterOptions(OnFailure onFailure, long revision) {
    public LimiterOptions {
        Objects.requireNonNull(onFailure, "onFailure");
        if (revision < 0) {
            throw new IllegalArgumentException("revision: " + revision + " (expected: >= 0)");
        }
    }

    /** Revision 0. */
    public static LimiterOptions onFailure(OnFailure onFailure) {
        return new LimiterOptions(onFailure, 0);
    }

    /** The same with another revision. */
    public LimiterOptions revision(long revision) {
        return new LimiterOptions(onFailure, revision);
    }
}
