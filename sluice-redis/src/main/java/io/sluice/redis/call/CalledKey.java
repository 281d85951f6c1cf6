package io.sluice.redis.call;

/** A key of one limiter, to which calls or charges go. */
record CalledKey(LimiterContext limiter, String key) {}
