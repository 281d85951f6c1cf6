package io.sluice.redis.local;

import io.sluice.redis.limits.AgreedLimits;

/** A key of one limiter, by which {@link LocalKeys} finds its account. */
public record LimiterKey(AgreedLimits limiter, String key) {}
