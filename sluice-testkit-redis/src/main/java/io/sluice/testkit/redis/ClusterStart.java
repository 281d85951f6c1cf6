package io.sluice.testkit.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Builds a cluster from single servers, with the same steps as redis-cli. */
final class ClusterStart {
    private static final List<String> OPTIONS = List.of(
            "--cluster-enabled", "yes",
            "--cluster-node-timeout", "1000",
            "--cluster-announce-ip", "127.0.0.1",
            // Replicas must not move to another master.
            "--cluster-migration-barrier", "1000",
            "--repl-diskless-sync", "no");

    private final int masters;
    private final List<RedisProcess> nodes;

    private ClusterStart(int masters, List<RedisProcess> nodes) {
        this.masters = masters;
        this.nodes = nodes;
    }

    static RedisCluster start(int masters, int replicasPerMaster, String... options) {
        if (masters < 1 || replicasPerMaster < 0) {
            throw new IllegalArgumentException(
                    "masters: " + masters + ", replicasPerMaster: " + replicasPerMaster + " (expected: > 0, >= 0)");
        }
        List<String> all = new ArrayList<>(OPTIONS);
        all.addAll(List.of(options));
        List<RedisProcess> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < masters * (1 + replicasPerMaster); i++) {
                nodes.add(RedisProcess.start("", all));
            }
            new ClusterStart(masters, nodes).join();
            return new RedisCluster(nodes);
        } catch (RuntimeException e) {
            nodes.forEach(RedisProcess::close);
            throw e;
        }
    }

    private void join() {
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (int i = 0; i < masters; i++) {
            addSlots(i);
        }
        for (RedisProcess node : nodes.subList(1, nodes.size())) {
            node.command(
                    "CLUSTER",
                    "MEET",
                    "127.0.0.1",
                    Integer.toString(nodes.get(0).port()));
        }
        awaitAll("knows all others", this::knowsAll);
        for (int i = masters; i < nodes.size(); i++) {
            String master = nodes.get((i - masters) % masters).command("CLUSTER", "MYID");
            nodes.get(i).command("CLUSTER", "REPLICATE", master);
        }
        awaitAll("says that the cluster is well", RedisCluster::isWell);
        awaitAll("sees the replicas", this::seesReplicas);
        nodes.stream().skip(masters).forEach(RedisProcess::awaitAttached);
    }

    private void addSlots(int master) {
        List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        IntStream slots = IntStream.range(first(master), first(master + 1));
        slots.forEach(slot -> command.add(Integer.toString(slot)));
        nodes.get(master).command(command.toArray(String[]::new));
    }

    private int first(int master) {
        return Slots.COUNT * master / masters;
    }

    private boolean knowsAll(RedisProcess node) {
        List<ClusterNode> seen = ClusterNode.seenBy(node);
        return seen.size() == nodes.size() && seen.stream().allMatch(other -> other.isWell() && other.connected());
    }

    private boolean seesReplicas(RedisProcess node) {
        long replicas = ClusterNode.seenBy(node).stream()
                .filter(other -> !other.isMaster() && other.isWell())
                .count();
        return replicas == nodes.size() - masters;
    }

    private void awaitAll(String what, Predicate<RedisProcess> condition) {
        Await.until(() -> "every node " + what, () -> nodes.stream().allMatch(condition));
    }
}
