package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.sluice.Limit;
import io.sluice.LimiterOptions;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.StoreListener;
import io.sluice.redis.limits.ConfigFields;
import io.sluice.spi.LimiterSpec;
import io.sluice.spi.Publication;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests all ways to connect to Redis. */
class ConnectionsIT {
    private static final Limit LIMIT = Limit.parse("token-bucket 1/d burst 10");

    /** In docs/reference/redis.md. */
    private static final String DOCUMENTED =
            "hello info evalsha eval time get mget set del getrange setrange strlen pexpire pexpireat "
                    + "hget hmget hset hdel hgetall hincrby zadd zrem zremrangebyscore zcard "
                    + "zscore hkeys persist rename scan unlink";

    private static final String DOCUMENTED_FOR_CLUSTERS = " cluster|nodes cluster|myid asking";

    /** The store decides, and closing it does not close connections or clients of the caller. */
    private static void decides(RedisStore store) {
        try (store) {
            RateLimiter limiter = store.limiter("limiter", LIMIT);
            assertThat(limiter.check("key", 1).degraded()).isFalse();
            assertThat(limiter.check("key", 1).remaining()).isEqualTo(8);
            limiter.reset("key");
        }
    }

    @Test
    void single_byClientOrConnection() {
        try (RedisProcess redis = RedisProcess.start();
                RedisClient client = RedisClient.create(redis.uri());
                var connection = client.connect()) {
            decides(RedisStore.of(client));
            decides(RedisStore.of(connection));
            assertThat(connection.sync().ping()).isEqualTo("PONG");
            clientKill_chargesNothingTwice(redis, RedisStore.of(connection));
            clientKill_chargesNothingTwice(redis, RedisStore.of(client));
        }
    }

    /** By default, a client sends unanswered commands again. Commands of a store must not be sent again. */
    private static void clientKill_chargesNothingTwice(RedisProcess redis, RedisStore store) {
        redis.command("FLUSHALL");
        int kills = 5;
        try (store;
                Load load = Load.on(store)) {
            for (int i = 0; i < kills; i++) {
                redis.command("CLIENT", "KILL", "TYPE", "normal");
                load.awaitBack(System.nanoTime());
            }
            load.stop();
            for (OnFailure how : OnFailure.values()) {
                long admitted = load.told(how).admitted.get();
                assertThat(load.charged(how)).isBetween(admitted, load.admitted(how) + (long) kills * Load.CALLERS);
            }
        }
    }

    @Test
    void cluster_byClientOrConnection() {
        try (RedisCluster cluster = RedisCluster.start(3, 0);
                RedisClusterClient client = RedisClusterClient.create(
                        cluster.uris().stream().map(RedisURI::create).toList());
                var connection = client.connect()) {
            decides(RedisStore.of(client));
            decides(RedisStore.of(connection));
            decides(RedisStore.connect(cluster.uris().get(1)));
            cluster.nodes().forEach(node -> allow(node, DOCUMENTED + DOCUMENTED_FOR_CLUSTERS));
            decides(RedisStore.connect(uriOfUser(cluster.nodes().get(0))));
            assertThat(connection.sync().ping()).isEqualTo("PONG");
        }
    }

    @Test
    void build_withoutRedis_isDegradedUntilRedisIsThere() {
        RedisProcess redis = RedisProcess.start();
        redis.kill();
        try (redis;
                RedisStore store = RedisStore.builder()
                        .uri(redis.uri())
                        .onFailure(OnFailure.DENY)
                        .build()) {
            RateLimiter limiter = store.limiter("limiter", LIMIT);
            assertThat(limiter.check("key", 1).degraded()).isTrue();
            assertThat(limiter.tryAcquire("key")).isFalse();
            redis.restart();
            Eventually.within(
                    Duration.ofSeconds(2),
                    () -> "it is back",
                    () -> !limiter.peek("key").degraded());
            assertThat(limiter.check("key", 1).remaining()).isEqualTo(9);
        }
    }

    @Test
    void password_inTheUri_isNotLogged() {
        Queue<String> logged = new ConcurrentLinkedQueue<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                logged.add(new SimpleFormatter().format(record));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger log = Logger.getLogger("");
        log.addHandler(handler);
        try (RedisProcess redis = RedisProcess.start("--requirepass", "open-sesame")) {
            decides(RedisStore.connect(redis.uri()));
            // Stores of other tests may still write to the log.
            assertThat(logged)
                    .noneMatch(line -> line.contains("Redis cannot be reached") || line.contains("open-sesame"));

            String wrong = redis.uri().replace("open-sesame", "hidden-treasure");
            try (RedisStore store = RedisStore.connect(wrong)) {
                assertThat(store.limiter("limiter", LIMIT).check("key", 1).degraded())
                        .isTrue();
                assertThat(store.isAvailable()).isFalse();
            }
            assertThat(logged).anyMatch(line -> line.contains("Redis cannot be reached") && line.contains("WRONGPASS"));
            assertThat(logged).noneMatch(line -> line.contains("hidden-treasure"));
        } finally {
            log.removeHandler(handler);
        }
    }

    /** The documented ACL has all commands that are used, and no others. */
    @Test
    void acl_asDocumented_isSufficient() {
        try (RedisProcess redis = RedisProcess.start()) {
            allow(redis, DOCUMENTED);
            redis.command("CONFIG", "RESETSTAT");
            Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
            try (RedisStore store = RedisStore.builder()
                    .uri(uriOfUser(redis))
                    .deadline(Duration.ofSeconds(10))
                    .listener(new StoreListener() {
                        @Override
                        public void failed(int requests, Throwable cause) {
                            failures.add(cause);
                        }
                    })
                    .build()) {
                for (String limit : List.of(
                        "100/d",
                        "token-bucket 5 per 10s burst 9 refill interval",
                        "leaky-bucket 10/s capacity 20",
                        "fixed-window 100 per 1m lockout 1m",
                        "fixed-window 100 per 1m from-first",
                        "sliding-log 2000 per 1h",
                        "sliding-counter 1000 per 1h slots 60")) {
                    useAll(store.limiter(limit, Limit.parse(limit)));
                }
                RateLimiter limiter = store.limiter("joint", Limit.parse("1/d"));
                store.decide(List.of(limiter.charge("one", 1), limiter.charge("other", 1)));
                LimiterOptions options = LimiterOptions.onFailure(OnFailure.ALLOW);
                store.enforce(IntStream.rangeClosed(0, ConfigFields.PIECE)
                        .mapToObj(i -> new LimiterSpec("many" + i, options, Limit.parse("1/d")))
                        .toList());
                Publication publication = store.publication("policies");
                publication.follow(edition -> {});
                redis.command("HSET", "sluice:{config}:ready:policies", "somebody-who-died", "0");
                publication.ready(1).toCompletableFuture().join();
                publication.publish("text", 0).toCompletableFuture().join();
                assertThat(publication.history().toCompletableFuture().join()).hasSize(1);
                Eventually.within(
                        Duration.ofSeconds(5),
                        () -> "it looks what is new",
                        () -> redis.info("commandstats").containsKey("cmdstat_hmget"));
                store.deleteAll();
                assertThat(failures).isEmpty();
            }
            assertThat(redis.info("commandstats").keySet().stream()
                            .map(command -> command.substring("cmdstat_".length()))
                            .filter(command -> !command.startsWith("config") && !command.startsWith("client")))
                    .containsExactlyInAnyOrder(DOCUMENTED.split(" ", -1));
        }
    }

    /** Creates a user with these permissions only. */
    private static void allow(RedisProcess redis, String commands) {
        List<String> user = new ArrayList<>(
                List.of("ACL", "SETUSER", "limits", "on", ">secret", "~sluice:*", "resetchannels", "-@all"));
        Stream.of(commands.split(" ", -1)).map(command -> "+" + command).forEach(user::add);
        redis.command(user.toArray(String[]::new));
    }

    private static String uriOfUser(RedisProcess redis) {
        return "redis://limits:secret@127.0.0.1:" + redis.port();
    }

    private static void useAll(RateLimiter limiter) {
        for (int i = 0; i < 300; i++) {
            assertThat(limiter.check("key", 1).degraded()).isFalse();
        }
        limiter.reserve("key", 1).cancel();
        limiter.refund("key", 2);
        limiter.penalize("key", 3);
        assertThat(limiter.peek("key").degraded()).isFalse();
        limiter.update(Limit.parse("7/d"));
        assertThat(limiter.check("key", 1).degraded()).isFalse();
        limiter.reset("key");
    }
}
