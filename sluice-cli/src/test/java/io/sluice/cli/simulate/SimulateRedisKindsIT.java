package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.cli.EmptyRedis;
import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.redis.RedisProcess;
import io.sluice.testkit.redis.RedisSentinel;
import org.junit.jupiter.api.Test;

class SimulateRedisKindsIT {
    private static final String TRACE = RandomTrace.of(11, 6_000);
    private static final String[] LIMITS = {"simulate", "--limit", "10/s", "--limit", "sliding-log 5 per 1s"};

    private static void assertSameAsOnMemory(String uri) {
        String[] args = {LIMITS[0], LIMITS[1], LIMITS[2], LIMITS[3], LIMITS[4], "--store", uri};

        assertThat(CommandRun.with(TRACE, args)).isEqualTo(CommandRun.with(TRACE, LIMITS));
    }

    @Test
    void cluster_decidesAsMemory_andKeepsNothing() {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            assertSameAsOnMemory(cluster.uris().get(0));

            assertThat(cluster.nodes()).allSatisfy(EmptyRedis::assertEmpty);
        }
    }

    @Test
    void sentinels_leadToTheMaster() {
        try (RedisSentinel sentinel = RedisSentinel.start()) {
            assertSameAsOnMemory(sentinel.uri());

            EmptyRedis.assertEmpty(sentinel.master());
        }
    }

    @Test
    void database_isTheOneAskedFor() {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.command("SET", "of-another", "1");

            assertSameAsOnMemory(redis.uri() + "/5");

            assertThat(redis.command("DBSIZE")).isEqualTo("1");
        }
    }
}
