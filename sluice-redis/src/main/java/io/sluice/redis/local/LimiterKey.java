package io.sluice.redis.local;

import io.sluice.redis.limits.AgreedLimits;

/** A key of one limiter. */
public record LimiterKey(AgreedLimits limiter, String key) {}
