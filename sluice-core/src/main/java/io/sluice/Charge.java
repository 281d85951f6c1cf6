package io.sluice;

import org.jspecify.annotations.Nullable;

/**
 * A request for permits of one limiter and one key, which {@link Store#decide} decides together with others. {@link
 * RateLimiter#charge} and {@link CallLimiter#charge} make one.
 */
public interface Charge {
    /** The limiter that is charged: a {@link RateLimiter} or a {@link CallLimiter} of the store that decides. */
    Chargeable limiter();

    /** The key that is charged. */
    String key();

    /** How many permits are asked for; 0 only looks. */
    long permits();

    /** The limit that the charge carries, on a {@link CallLimiter}; null on a {@link RateLimiter}. */
    @Nullable
    Limit limit();
}
