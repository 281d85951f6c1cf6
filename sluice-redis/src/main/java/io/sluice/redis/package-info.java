/**
 * The Redis store: the same limits for all processes that share a Redis. Start at {@link io.sluice.redis.RedisStore}; this
 * is the only package that users need, and the inner packages are not for them.
 *
 * <p>Redis makes every decision, by its own clock, in one step of one script. This side batches calls, enforces deadlines, and
 * answers by itself when Redis does not.
 */
@NullMarked
package io.sluice.redis;

import org.jspecify.annotations.NullMarked;
