package io.sluice.testkit.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A line of CLUSTER NODES: the state of a node, as another node sees it.
 *
 * @param masterId the id of its master; {@code -} if the node is not a replica
 * @param slots ranges such as {@code 0-5460} or {@code 7}, without slots that are being moved
 */
record ClusterNode(String id, int port, List<String> flags, String masterId, boolean connected, List<String> slots) {
    static List<ClusterNode> seenBy(RedisProcess process) {
        return process.command("CLUSTER", "NODES")
                .lines()
                .map(ClusterNode::parse)
                .toList();
    }

    // <id> <ip:port@bus> <flags> <master> <ping-sent> <pong-recv> <epoch> <link> <slot> <slot> ...
    private static ClusterNode parse(String line) {
        List<String> words = Arrays.asList(line.split(" ", -1));
        String address = words.get(1);
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1, address.indexOf('@')));
        List<String> flags = Arrays.asList(words.get(2).split(",", -1));
        List<String> slots = new ArrayList<>(words.subList(8, words.size()));
        slots.removeIf(slot -> slot.startsWith("["));
        return new ClusterNode(
                words.get(0), port, flags, words.get(3), words.get(7).equals("connected"), slots);
    }

    boolean isMaster() {
        return flags.contains("master");
    }

    /** Whether the node is neither failing nor in its handshake. */
    boolean isWell() {
        return flags.stream().noneMatch(flag -> flag.startsWith("fail") || flag.equals("handshake"));
    }

    boolean owns(int slot) {
        return slots.stream().anyMatch(range -> {
            int dash = range.indexOf('-');
            int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
            int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
            return first <= slot && slot <= last;
        });
    }
}
