package io.sluice.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisSentinelIT {
    @Test
    void master_afterFailover_isTheReplica() {
        try (RedisSentinel sentinel = RedisSentinel.start()) {
            RedisProcess first = sentinel.master();
            RedisProcess second = sentinel.replica();
            assertThat(sentinel.uri())
                    .matches("redis-sentinel://127.0.0.1:\\d+,127.0.0.1:\\d+,127.0.0.1:\\d+#mymaster");
            first.command("SET", "a", "1");
            Await.until(
                    () -> "the replica has it", () -> second.command("GET", "a").equals("1"));

            assertThat(sentinel.failover()).isSameAs(second);
            assertThat(sentinel.replica()).isSameAs(first);
            assertThat(second.command("GET", "a")).isEqualTo("1");

            second.kill();
            assertThat(sentinel.awaitOtherMaster(second)).isSameAs(first);
            assertThat(first.command("INCR", "a")).isEqualTo("2");
        }
    }
}
