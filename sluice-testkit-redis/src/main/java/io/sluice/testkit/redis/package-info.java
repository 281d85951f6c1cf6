/**
 * Real Redis for tests and benchmarks, with nothing installed: {@link io.sluice.testkit.redis.RedisProcess} is one server
 * that can be killed, paused and restarted, {@link io.sluice.testkit.redis.RedisCluster} a cluster whose slots can be
 * moved, {@link io.sluice.testkit.redis.RedisSentinel} a master under sentinels. All of it is on the loopback interface,
 * and nothing of it outlives the JVM, however that ends.
 */
@NullMarked
package io.sluice.testkit.redis;

import org.jspecify.annotations.NullMarked;
