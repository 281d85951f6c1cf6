package io.sluice;

import org.jspecify.annotations.Nullable;

/**
 * A request for permits of one limiter and one key. {@link Store#decide} decides several charges together. {@link
 * RateLimiter#charge} and {@link CallLimiter#charge} create it.
 */
public interface Charge {
    /** The limiter that is charged: a {@link RateLimiter} or a {@link CallLimiter} of the store that decides. */
    Chargeable limiter();

    /** The key that is charged. */
    String key();

    /** How many permits to take. 0 takes nothing and only reports. */
    long permits();

    /** The limit that the charge carries to a {@link CallLimiter}. Null on a {@link RateLimiter}. */
    @Nullable
    Limit limit();
}
