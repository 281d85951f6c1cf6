package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.sluice.testkit.redis.RedisCluster;
import org.junit.jupiter.api.Test;

class PolicyEngineDifferentialIT {
    @Test
    void redis_randomPoliciesAndRequests_areDecidedAsByTheModel() {
        int mixed = EngineDifferential.run(1_000, 15, 120, PolicyRedis::store);
        assertThat(mixed).as("requests that only some policies denied").isGreaterThan(100);
    }

    @Test
    void cluster_randomPoliciesAndRequests_areDecidedAsByTheModel() {
        try (RedisCluster cluster = RedisCluster.start(3, 0);
                RedisClusterClient client =
                        RedisClusterClient.create(cluster.uris().get(0));
                StatefulRedisClusterConnection<byte[], byte[]> connection = client.connect(ByteArrayCodec.INSTANCE)) {
            int mixed = EngineDifferential.run(
                    2_000,
                    10,
                    100,
                    time -> PolicyRedis.patient()
                            .connection(connection)
                            .virtualTime(time)
                            .build());
            assertThat(mixed).as("requests that only some policies denied").isGreaterThan(70);
        }
    }
}
