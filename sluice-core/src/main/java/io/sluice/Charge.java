package io.sluice;

import java.util.Objects;

/**
 * Permits asked of one limiter for one key, to be decided together with others by {@link Store#decide}.
 *
 * @param limiter a limiter of the store that decides
 * @param key whose permits
 * @param permits how many; 0 only looks
 */
public record Charge(RateLimiter limiter, String key, long permits) {
    public Charge {
        Objects.requireNonNull(limiter, "limiter");
        Objects.requireNonNull(key, "key");
        if (permits < 0) {
            throw new IllegalArgumentException("permits: " + permits + " (expected: >= 0)");
        }
    }
}
