package io.sluice.redis.call;

/** A key of one limiter. */
record CalledKey(LimiterContext limiter, String key) {}
