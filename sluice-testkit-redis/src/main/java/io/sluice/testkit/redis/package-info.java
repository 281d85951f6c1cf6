/**
 * Real Redis servers for tests and benchmarks, without an installation. {@link io.sluice.testkit.redis.RedisProcess} is one
 * server that can be killed, paused and restarted; {@link io.sluice.testkit.redis.RedisCluster} is a cluster whose slots can be
 * moved; {@link io.sluice.testkit.redis.RedisSentinel} is a master with sentinels. All servers listen on the loopback interface
 * only, and end with the JVM, however it ends.
 */
@NullMarked
package io.sluice.testkit.redis;

import org.jspecify.annotations.NullMarked;
