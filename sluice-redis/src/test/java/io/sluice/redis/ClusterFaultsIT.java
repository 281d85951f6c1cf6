package io.sluice.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.OnFailure;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisCluster;
import io.sluice.testkit.redis.RedisProcess;
import io.sluice.testkit.redis.SlotMigration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests faults of a cluster under load. The tests share one cluster, and leave every master with a replica. */
class ClusterFaultsIT {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(10);

    private static RedisCluster cluster;

    private final String prefix = TestRedis.newPrefix();

    @BeforeAll
    static void start() {
        // Else Redis itself refuses all keys while a master is missing.
        cluster = RedisCluster.start(3, 1, "--cluster-require-full-coverage", "no");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private RedisStore store(Duration deadline) {
        return RedisStore.builder()
                .uri(cluster.nodes().get(0).uri(), cluster.nodes().get(1).uri())
                .prefix(prefix)
                .deadline(deadline)
                .build();
    }

    private int slot(String limiter, String key) {
        return RedisCluster.slotOf(prefix + ":{" + limiter + ":" + key + "}");
    }

    /** Keys that a master has. */
    private BinaryOperator<String> on(RedisProcess master) {
        Map<Integer, RedisProcess> masters = new ConcurrentHashMap<>();
        Map<String, String> keys = new ConcurrentHashMap<>();
        return (limiter, key) -> keys.computeIfAbsent(
                limiter + ":" + key,
                unused -> IntStream.range(0, 1_000)
                        .mapToObj(i -> key + i)
                        .filter(each -> masters.computeIfAbsent(slot(limiter, each), cluster::masterOf) == master)
                        .findFirst()
                        .orElseThrow());
    }

    @Test
    void slotMigration_losesNothingAndDoublesNothing() {
        List<RedisProcess> masters = cluster.masters();
        try (RedisStore store = store(LONG);
                Load load = Load.on(store, on(masters.get(0)))) {
            for (OnFailure how : OnFailure.values()) {
                int slot = slot(Load.name(how), load.key(how, "counted"));
                SlotMigration migration = cluster.beginMigration(slot, masters.get(1));
                load.awaitBack(System.nanoTime());
                migration.moveAll();
                load.awaitBack(System.nanoTime());
                migration.finish();
                load.awaitBack(System.nanoTime());
            }
            load.stop();
            for (OnFailure how : OnFailure.values()) {
                assertThat(load.told(how).degraded).as("%s", load).hasValue(0);
                assertThat(load.charged(how)).isEqualTo(load.told(how).admitted.get());
                assertThat(load.charged(how, "reserved")).isZero();
            }
        }
    }

    @Test
    void failover_recoversOnTheNewMaster() {
        RedisProcess master = cluster.masters().get(1);
        try (RedisStore store = store(SHORT);
                Load load = Load.on(store, on(master))) {
            cluster.failover(cluster.replicasOf(master).get(0));
            load.awaitBack(System.nanoTime());
            load.stop();
        }
    }

    @Test
    void masterIsKilled_onlyItsKeysDegrade_untilItsReplicaIsPromoted() {
        RedisProcess victim = cluster.masters().get(0);
        RedisProcess replica = cluster.replicasOf(victim).get(0);
        RedisProcess other = cluster.masters().get(2);
        try (RedisStore store = store(SHORT);
                RedisStore patient = store(LONG);
                Load hit = Load.on(store, on(victim));
                Load spared = Load.on(patient, on(other))) {
            victim.kill();
            hit.awaitDegraded(20);
            spared.awaitBack(System.nanoTime());
            cluster.awaitMaster(replica);
            hit.awaitBack(System.nanoTime());
            hit.stop();
            spared.stop();
            for (OnFailure how : OnFailure.values()) {
                assertThat(spared.told(how).degraded).as("%s", spared).hasValue(0);
                assertThat(spared.charged(how))
                        .isEqualTo(spared.told(how).admitted.get());
            }
            startsWithoutTheFirst(victim, other);
        } finally {
            victim.restart();
            Eventually.within(
                    Duration.ofSeconds(10),
                    () -> "it is a replica now",
                    () -> "up".equals(victim.info("replication").get("master_link_status")));
        }
    }

    private void startsWithoutTheFirst(RedisProcess dead, RedisProcess other) {
        try (RedisStore store =
                RedisStore.builder().uri(dead.uri(), other.uri()).prefix(prefix).build()) {
            Load.on(store).stop();
        }
    }
}
