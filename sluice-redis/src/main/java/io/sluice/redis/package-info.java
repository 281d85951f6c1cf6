/**
 * The Redis store: the same limits for all processes that share a Redis. Start at {@link io.sluice.redis.RedisStore}.
 * Every decision is made by Redis, by its own clock, in one step of one script; this side merges calls, watches
 * deadlines, and answers by itself when Redis does not.
 */
@NullMarked
package io.sluice.redis;

import org.jspecify.annotations.NullMarked;
