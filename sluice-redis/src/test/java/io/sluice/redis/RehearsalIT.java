package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.StoreListener;
import io.sluice.redis.script.Script;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests what a store has prepared when it is created. */
class RehearsalIT {
    private static final Duration LONG = Duration.ofSeconds(30);

    @Test
    void connect_scriptIsLoaded_clockIsKnown_nothingIsWritten() {
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store =
                        RedisStore.builder().uri(redis.uri()).connectWait(LONG).build()) {
            assertThat(redis.command("SCRIPT", "EXISTS", Script.DECIDE.digest()))
                    .isEqualTo("1");
            assertThat(store.parts.shards.of(store.parts.connection.link(), 0).redisMicros(System.nanoTime()))
                    .isPositive();
            assertThat(redis.command("KEYS", "*warm-up*")).isEmpty();
            assertThat(redis.calls("set")).isZero();
        }
    }

    @Test
    void connect_cluster_everyMasterHasTheScript() {
        try (RedisCluster cluster = RedisCluster.start(3, 0);
                RedisStore store = RedisStore.builder()
                        .uri(cluster.uris().get(0))
                        .connectWait(LONG)
                        .build()) {
            assertThat(store.isAvailable()).isTrue();
            assertThat(cluster.nodes())
                    .allMatch(node -> node.command("SCRIPT", "EXISTS", Script.DECIDE.digest())
                            .equals("1"));
        }
    }

    /** Redis may come while the process waits for it. */
    @Test
    void connect_whenRedisStartsMeanwhile_waitsForIt() throws Exception {
        RedisProcess redis = RedisProcess.start();
        redis.kill();
        try (redis) {
            CompletableFuture<RedisStore> made = CompletableFuture.supplyAsync(() ->
                    RedisStore.builder().uri(redis.uri()).connectWait(LONG).build());
            redis.restart();
            try (RedisStore store = made.get(60, TimeUnit.SECONDS)) {
                assertThat(store.limiter("limiter", Limit.parse("1/d"))
                                .check("key")
                                .degraded())
                        .isFalse();
            }
        }
    }

    /** A warm-up call without answer is not reported as a degraded call. */
    @Test
    void warmUp_withoutAnswer_isNotReportedAsDegraded() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (RedisProcess redis = RedisProcess.start();
                RedisClient client = RedisClient.create(redis.uri());
                var connection = client.connect();
                LogLines lines = new LogLines()) {
            redis.pause();
            try (RedisStore store = RedisStore.builder()
                    .connection(connection)
                    .connectWait(Duration.ofMillis(100))
                    .listener(new StoreListener() {
                        @Override
                        public void degraded(String limiter, OnFailure how) {
                            heard.add("degraded");
                        }

                        @Override
                        public void failed(int requests, Throwable cause) {
                            heard.add("failed");
                        }
                    })
                    .build()) {
                Eventually.within(LONG, () -> "looks fail: " + heard, () -> heard.contains("failed"));
                redis.resume();
                Eventually.within(LONG, "it is there", store::isAvailable);
            }
            assertThat(heard).doesNotContain("degraded");
            assertThat(lines.with("degraded")).isEmpty();
        }
    }
}
