package io.sluice.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RedisClusterIT {
    @Test
    void migrateSlot_withKeys_movesThem() {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            assertThat(cluster.masters()).hasSize(3).isEqualTo(cluster.nodes());
            assertThat(cluster.uris()).hasSize(3);
            int slot = RedisCluster.slotOf("{t}");
            RedisProcess source = cluster.masterOf(slot);
            RedisProcess target = cluster.masters().stream()
                    .filter(node -> node != source)
                    .findFirst()
                    .orElseThrow();
            for (int i = 0; i < 250; i++) {
                source.command("SET", "{t}" + i, "v" + i);
            }
            source.replyInBytes(List.of("SET", "{t}\u00ff\u0080\n", "no text"));

            SlotMigration migration = cluster.beginMigration(slot, target);
            migration.move("{t}1", "{t}2");
            assertThat(cluster.masterOf(slot)).isSameAs(source);
            assertThat(source.command("GET", "{t}0")).isEqualTo("v0");
            assertRedirected(source, "{t}1", "ASK " + slot + " 127.0.0.1:" + target.port());
            assertThatThrownBy(() -> source.command("MGET", "{t}0", "{t}1")).hasMessageMatching("(TRYAGAIN|ASK) .*");

            migration.finish();
            assertThat(cluster.masterOf(slot)).isSameAs(target);
            assertThat(target.command("GET", "{t}1")).isEqualTo("v1");
            assertThat(target.command("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)))
                    .isEqualTo("251");
            assertThat(source.command("DBSIZE")).isEqualTo("0");
            assertRedirected(source, "{t}1", "MOVED " + slot + " 127.0.0.1:" + target.port());

            cluster.migrateSlot(slot, source);
            assertThat(source.command("DBSIZE")).isEqualTo("251");
        }
    }

    private static void assertRedirected(RedisProcess node, String key, String where) {
        assertThatThrownBy(() -> node.command("GET", key)).hasMessage(where);
    }

    @Test
    void master_afterFailover_isTheReplica() {
        try (RedisCluster cluster = RedisCluster.start(3, 1)) {
            int slot = RedisCluster.slotOf("a");
            RedisProcess first = cluster.masterOf(slot);
            RedisProcess second = cluster.replicasOf(first).get(0);
            cluster.failover(second);
            assertThat(cluster.masterOf(slot)).isSameAs(second);
            assertThat(cluster.masters()).hasSize(3).contains(second).doesNotContain(first);
            cluster.failover(first);
            assertThat(cluster.masterOf(slot)).isSameAs(first);

            RedisProcess other = cluster.masterOf((slot + Slots.COUNT / 2) % Slots.COUNT);
            RedisProcess heir = cluster.replicasOf(other).get(0);
            other.kill();
            cluster.awaitMaster(heir);
            assertThat(cluster.masters()).contains(heir).doesNotContain(other);
            other.restart();
            Await.until(
                    () -> "it is back as a replica",
                    () -> cluster.replicasOf(heir).contains(other));
        }
    }
}
