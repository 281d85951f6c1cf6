package io.sluice.testkit.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A real master with a replica and three real sentinels, of which two must agree. They consider a master dead when it is
 * silent for half a second (before Redis 7.0: 1.5 seconds, and they take up to 10 seconds to find each other).
 *
 * <p>Every method asks the sentinels for the present master. A method that waits throws {@code IllegalStateException} after 30
 * seconds.
 */
public final class RedisSentinel implements AutoCloseable {
    private static final String MASTER_NAME = "mymaster";
    private static final int SENTINELS = 3;
    private static final String CONFIGURATION = """
            sentinel monitor mymaster 127.0.0.1 %d 2
            sentinel down-after-milliseconds mymaster 1500
            sentinel failover-timeout mymaster 3000
            """;

    private final List<RedisProcess> nodes = new ArrayList<>();
    private final List<RedisProcess> sentinels = new ArrayList<>();

    private RedisSentinel() {}

    /** Starts a master, a replica and three sentinels, and waits until all know each other. */
    public static RedisSentinel start() {
        return start(1);
    }

    /** Starts a master, so many replicas and three sentinels, and waits until all know each other. */
    public static RedisSentinel start(int replicas) {
        if (replicas < 1) {
            throw new IllegalArgumentException("replicas: " + replicas + " (expected: > 0)");
        }
        RedisSentinel sentinel = new RedisSentinel();
        try {
            sentinel.startNodes(replicas);
            sentinel.startSentinels(replicas);
            return sentinel;
        } catch (RuntimeException e) {
            sentinel.close();
            throw e;
        }
    }

    private void startNodes(int replicas) {
        for (int i = 0; i < 1 + replicas; i++) {
            nodes.add(RedisProcess.start("--repl-diskless-sync", "no"));
        }
        String port = Integer.toString(nodes.get(0).port());
        // Not by an option: a restart after a failover must not undo the failover.
        nodes.stream().skip(1).forEach(replica -> replica.command("REPLICAOF", "127.0.0.1", port));
        nodes.stream().skip(1).forEach(RedisProcess::awaitAttached);
    }

    private void startSentinels(int replicas) {
        String configuration = CONFIGURATION.formatted(nodes.get(0).port());
        for (int i = 0; i < SENTINELS; i++) {
            RedisProcess sentinel = RedisProcess.start(configuration, List.of("--sentinel"));
            sentinels.add(sentinel);
            hurry(sentinel);
        }
        Await.until(
                () -> "the sentinels know each other and the replicas",
                () -> sentinels.stream().allMatch(sentinel -> knows(sentinel, replicas)));
    }

    /**
     * Since Redis 7.0, a sentinel can ask other servers more often than every 1 or 10 seconds. Only then may it consider a
     * silent master dead sooner; otherwise it would consider servers dead that it has not asked yet.
     *
     * <p>The periods must not be too short. After four publish periods without news, the other sentinels demote a promoted
     * replica again, and their leader may check only once a second whether the promotion is done.
     */
    private static void hurry(RedisProcess sentinel) {
        try {
            sentinel.command("SENTINEL", "DEBUG", "PING-PERIOD", "200", "ASK-PERIOD", "200");
            sentinel.command("SENTINEL", "DEBUG", "INFO-PERIOD", "100", "PUBLISH-PERIOD", "1000");
            sentinel.command("SENTINEL", "SET", MASTER_NAME, "down-after-milliseconds", "700");
        } catch (RedisReplyException beforeRedis7) {
            // It takes its time.
        }
    }

    private static boolean knows(RedisProcess sentinel, int replicas) {
        Map<String, String> master = masterSeenBy(sentinel);
        return Integer.toString(SENTINELS - 1).equals(master.get("num-other-sentinels"))
                && Integer.toString(replicas).equals(master.get("num-slaves"))
                && "master".equals(master.get("flags"));
    }

    private static Map<String, String> masterSeenBy(RedisProcess sentinel) {
        List<String> words =
                sentinel.command("SENTINEL", "MASTER", MASTER_NAME).lines().toList();
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i + 1 < words.size(); i += 2) {
            fields.put(words.get(i), words.get(i + 1));
        }
        return fields;
    }

    /** The name of the master in the sentinels. */
    public String masterName() {
        return MASTER_NAME;
    }

    /** For example {@code redis-sentinel://127.0.0.1:1,127.0.0.1:2,127.0.0.1:3#mymaster}. */
    public String uri() {
        return sentinels.stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://", "#" + MASTER_NAME));
    }

    /** The master and the replicas, whether they run or not. */
    public List<RedisProcess> nodes() {
        return List.copyOf(nodes);
    }

    /** The three sentinels. */
    public List<RedisProcess> sentinels() {
        return List.copyOf(sentinels);
    }

    /** The master, as the first sentinel that runs says. */
    public RedisProcess master() {
        String port = masterPort(runningSentinel());
        return nodes.stream()
                .filter(node -> Integer.toString(node.port()).equals(port))
                .findFirst()
                .orElseThrow();
    }

    /** The first of the replicas. */
    public RedisProcess replica() {
        RedisProcess master = master();
        return nodes.stream().filter(node -> node != master).findFirst().orElseThrow();
    }

    private RedisProcess runningSentinel() {
        return sentinels.stream()
                .filter(RedisProcess::isRunning)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no sentinel runs"));
    }

    private static String masterPort(RedisProcess sentinel) {
        String address = sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER_NAME);
        return address.substring(address.indexOf('\n') + 1);
    }

    /**
     * Lets the sentinels promote a replica, and waits as {@link #awaitOtherMaster} does. On a very busy machine, sentinels may
     * demote the promoted node again; then this method tries once more.
     *
     * @return the new master
     */
    public RedisProcess failover() {
        RedisProcess old = master();
        Await.until(() -> "the sentinels have promoted another node than " + old + " (" + views() + ")", () -> {
            if (allAgreeOn(old)) {
                runningSentinel().command("SENTINEL", "FAILOVER", MASTER_NAME);
            }
            return isReplaced(old);
        });
        return master();
    }

    /**
     * Waits until all running sentinels agree on another master than that one, all other running nodes are its replicas,
     * and the failover is over.
     *
     * @return the new master
     */
    public RedisProcess awaitOtherMaster(RedisProcess old) {
        Await.until(() -> "there is another master than " + old + " (" + views() + ")", () -> isReplaced(old));
        return master();
    }

    /** What the sentinels and the nodes say, for a wait that was in vain. */
    private String views() {
        List<String> views = new ArrayList<>();
        for (RedisProcess sentinel : sentinels) {
            views.add(view(() -> "sentinel " + sentinel.port() + ": master " + masterPort(sentinel) + " with flags "
                    + masterSeenBy(sentinel).get("flags")));
        }
        for (RedisProcess node : nodes) {
            views.add(view(() -> "node " + node.port() + ": "
                    + node.info("replication").get("role") + ", link "
                    + node.info("replication").get("master_link_status")));
        }
        return String.join("; ", views);
    }

    private static String view(Supplier<String> view) {
        try {
            return view.get();
        } catch (RuntimeException e) {
            return e.toString();
        }
    }

    private boolean isReplaced(RedisProcess old) {
        RedisProcess master = master();
        return master != old
                && "master".equals(master.info("replication").get("role"))
                && allAgreeOn(master)
                && nodes.stream()
                        .filter(node -> node.isRunning() && node != master)
                        .allMatch(RedisProcess::isAttached);
    }

    /** Whether all running sentinels agree that a node is the master, and no failover is under way. */
    private boolean allAgreeOn(RedisProcess master) {
        return sentinels.stream().filter(RedisProcess::isRunning).allMatch(sentinel -> isSettled(sentinel, master));
    }

    private static boolean isSettled(RedisProcess sentinel, RedisProcess master) {
        return masterPort(sentinel).equals(Integer.toString(master.port()))
                && "master".equals(masterSeenBy(sentinel).get("flags"));
    }

    /** Ends all processes and deletes their files. */
    @Override
    public void close() {
        sentinels.forEach(RedisProcess::close);
        nodes.forEach(RedisProcess::close);
    }

    @Override
    public String toString() {
        return "RedisSentinel[uri=" + uri() + "]";
    }
}
