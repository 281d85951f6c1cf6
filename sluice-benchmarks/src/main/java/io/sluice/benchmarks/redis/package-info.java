/**
 * What a shared decision costs, on one Redis, beside the other libraries, in one run. {@link
 * io.sluice.benchmarks.redis.RedisCommand} is the door. A case is a {@link io.sluice.benchmarks.redis.Load} for each
 * contestant; what each library needs stands in a class of its own.
 */
@NullMarked
package io.sluice.benchmarks.redis;

import org.jspecify.annotations.NullMarked;
