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
 * @param listener hears the calls of the limiter that the store returns for these options. If the store returns the limiter of
 *     the same name for other options, calls of that one are not reported here, see {@link RateLimiter#withListener}.
 */
public record LimiterOptions(OnFailure onFailure, long revision, LimiterListener listener) {
    public LimiterOptions {
        Objects.requireNonNull(onFailure, "onFailure");
        Objects.requireNonNull(listener, "listener");
        if (revision < 0) {
            throw new IllegalArgumentException("revision: " + revision + " (expected: >= 0)");
        }
    }

    /** Options without a listener. */
    public LimiterOptions(OnFailure onFailure, long revision) {
        this(onFailure, revision, LimiterListener.NONE);
    }

    /** Options with revision 0 and without a listener. */
    public static LimiterOptions onFailure(OnFailure onFailure) {
        return new LimiterOptions(onFailure, 0);
    }

    /** These options with another revision. */
    public LimiterOptions revision(long revision) {
        return new LimiterOptions(onFailure, revision, listener);
    }

    /** These options with another listener. */
    public LimiterOptions listener(LimiterListener listener) {
        return new LimiterOptions(onFailure, revision, listener);
    }
}
