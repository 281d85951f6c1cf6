package io.sluice.redis;

import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.sluice.TimeSource;
import io.sluice.spi.PolicyStore;
import io.sluice.testkit.StoreContract;
import io.sluice.testkit.redis.RedisCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the store contract on a cluster of three masters. The charges of one request are on several masters. */
class RedisClusterContractIT extends StoreContract {
    private static RedisCluster cluster;
    private static RedisClusterClient client;
    private static StatefulRedisClusterConnection<byte[], byte[]> connection;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.start(3, 0);
        client = RedisClusterClient.create(cluster.uris().get(0));
        connection = client.connect(ByteArrayCodec.INSTANCE);
    }

    @AfterAll
    static void stop() {
        client.shutdown();
        cluster.close();
    }

    @Override
    public PolicyStore newStore(TimeSource time) {
        return RedisStore.builder()
                .connection(connection)
                .prefix(TestRedis.newPrefix())
                .deadline(Duration.ofSeconds(30))
                .virtualTime(time)
                .listener(TestRedis.LOUD)
                .build();
    }

    @Override
    public int decisions() {
        return Integer.getInteger("sluice.contract.cluster.decisions", 20_000);
    }
}
