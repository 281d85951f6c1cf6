package io.sluice.testkit.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A real Redis cluster of {@link RedisProcess}es. It notices within seconds that a master is dead.
 *
 * <pre>{@code
 * try (RedisCluster cluster = RedisCluster.start(3, 1)) {
 *     cluster.masterOf(RedisCluster.slotOf("a")).kill();
 *     ...
 * }
 * }</pre>
 *
 * <p>Every method asks a running node for the present masters. A method that waits throws {@code IllegalStateException} after
 * 30 seconds.
 */
public final class RedisCluster implements AutoCloseable {
    private final List<RedisProcess> nodes;

    RedisCluster(List<RedisProcess> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /**
     * Starts a cluster, with the slots spread evenly, and waits until every node says that it is well.
     *
     * @param options of every node, as on the command line
     */
    public static RedisCluster start(int masters, int replicasPerMaster, String... options) {
        return ClusterStart.start(masters, replicasPerMaster, options);
    }

    /** The slot of a key, by its hash tag if it has one. */
    public static int slotOf(String key) {
        return Slots.of(key);
    }

    /** All nodes, whether they run or not. Those that began as masters come first. */
    public List<RedisProcess> nodes() {
        return nodes;
    }

    /** The URIs of all nodes. */
    public List<String> uris() {
        return nodes.stream().map(RedisProcess::uri).toList();
    }

    /** The masters that have slots, including a dead one until a replica takes over. */
    public List<RedisProcess> masters() {
        return select(node -> node.isMaster() && !node.slots().isEmpty());
    }

    /** The replicas of that master. */
    public List<RedisProcess> replicasOf(RedisProcess master) {
        List<ClusterNode> view = view();
        String id = view.stream()
                .filter(node -> node.port() == master.port())
                .findFirst()
                .orElseThrow()
                .id();
        return select(node -> node.masterId().equals(id));
    }

    /** The master of a slot; a dead one until a replica takes over. */
    public RedisProcess masterOf(int slot) {
        List<RedisProcess> owners = select(node -> node.isMaster() && node.owns(slot));
        if (owners.isEmpty()) {
            throw new IllegalStateException("slot: " + slot + " (expected: one that a master has)");
        }
        return owners.get(0);
    }

    private List<RedisProcess> select(Predicate<ClusterNode> condition) {
        List<Integer> ports =
                view().stream().filter(condition).map(ClusterNode::port).toList();
        return nodes.stream().filter(node -> ports.contains(node.port())).toList();
    }

    private List<ClusterNode> view() {
        return ClusterNode.seenBy(running().get(0));
    }

    private List<RedisProcess> running() {
        List<RedisProcess> running =
                nodes.stream().filter(RedisProcess::isRunning).toList();
        if (running.isEmpty()) {
            throw new IllegalStateException("no node runs");
        }
        return running;
    }

    /** Moves a slot with all its keys, and returns when every running node knows its new master. */
    public void migrateSlot(int slot, RedisProcess target) {
        beginMigration(slot, target).finish();
    }

    /** Does the first half of {@link #migrateSlot}: the slot is being moved, and no key has moved yet. */
    public SlotMigration beginMigration(int slot, RedisProcess target) {
        RedisProcess source = masterOf(slot);
        if (source == target) {
            throw new IllegalArgumentException("target: " + target + " (expected: another than the slot's master)");
        }
        return new SlotMigration(slot, source, target, this::publish);
    }

    private void publish(SlotMigration migration) {
        String slot = Integer.toString(migration.slot());
        String owner = migration.target().command("CLUSTER", "MYID");
        List<RedisProcess> inOrder = new ArrayList<>(List.of(migration.target(), migration.source()));
        masters().stream().filter(node -> !inOrder.contains(node)).forEach(inOrder::add);
        for (RedisProcess node : inOrder) {
            if (node.isRunning()) {
                node.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
            }
        }
        int port = migration.target().port();
        awaitThatAllSee(
                "slot " + slot + " belongs to " + owner, node -> node.port() == port && node.owns(migration.slot()));
    }

    /**
     * Promotes a replica to master, in agreement with its master, which becomes a replica. Waits as {@link #awaitMaster} does,
     * and until the new replica is attached.
     */
    public void failover(RedisProcess replica) {
        String port = replica.info("replication").get("master_port");
        if (port == null) {
            throw new IllegalArgumentException("replica: " + replica + " (expected: a replica)");
        }
        // A master ignores the request of a replica that it does not know yet.
        awaitThatAllSee(replica + " is a replica", seen -> seen.port() == replica.port() && !seen.isMaster());
        replica.command("CLUSTER", "FAILOVER");
        awaitMaster(replica);
        nodes.stream()
                .filter(node -> Integer.toString(node.port()).equals(port))
                .forEach(RedisProcess::awaitAttached);
    }

    /** Waits until every running node says that this node is a master and has slots, and that the cluster is well. */
    public void awaitMaster(RedisProcess node) {
        awaitThatAllSee(
                node + " is a master",
                seen -> seen.port() == node.port()
                        && seen.isMaster()
                        && !seen.slots().isEmpty());
    }

    private void awaitThatAllSee(String what, Predicate<ClusterNode> condition) {
        Await.until(
                () -> "every running node sees that " + what,
                () -> running().stream()
                        .allMatch(node -> isWell(node)
                                && ClusterNode.seenBy(node).stream().anyMatch(condition)));
    }

    static boolean isWell(RedisProcess node) {
        return "ok".equals(RedisProcess.fields(node.command("CLUSTER", "INFO")).get("cluster_state"));
    }

    /** Ends all nodes and deletes their files. */
    @Override
    public void close() {
        nodes.forEach(RedisProcess::close);
    }

    @Override
    public String toString() {
        return "RedisCluster[ports=" + nodes.stream().map(RedisProcess::port).toList() + "]";
    }
}
