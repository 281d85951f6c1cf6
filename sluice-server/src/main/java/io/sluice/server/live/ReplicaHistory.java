package io.sluice.server.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

/** The ticks of some replicas over the last 15 minutes. Not thread-safe. */
final class ReplicaHistory {
    static final Duration KEPT = Duration.ofMinutes(15);

    /** Maximum number of ticks of one replica. */
    static final int MAX_TICKS = (int) (KEPT.toMillis() / Tick.MILLIS);

    private static final int MAX_REPLICAS = 1000;

    /** A replica counts as alive for this long after its latest tick. */
    private static final long ALIVE_MILLIS = 3 * Tick.MILLIS;

    /** The ticks of each replica, by their time. */
    private final Map<String, TreeMap<Long, ReplicaTick>> byReplica = new HashMap<>();

    /** Adds ticks that are not known yet, in any order. */
    void add(Collection<ReplicaTick> ticks) {
        ticks.forEach(this::add);
    }

    private void add(ReplicaTick tick) {
        if (byReplica.size() < MAX_REPLICAS || byReplica.containsKey(tick.id())) {
            byReplica
                    .computeIfAbsent(tick.id(), unused -> new TreeMap<>())
                    .putIfAbsent(tick.tick().end(), tick);
        }
    }

    /** Forgets what is older than 15 minutes. */
    void forgetBefore(long now) {
        long first = now - KEPT.toMillis();
        byReplica.values().forEach(own -> {
            own.headMap(first, true).clear();
            while (own.size() > MAX_TICKS) {
                own.pollFirstEntry();
            }
        });
        byReplica.values().removeIf(Map::isEmpty);
    }

    /** The sums over all replicas after a time, oldest first. */
    List<Tick> sumsAfter(long after) {
        TreeMap<Long, Tick> sums = new TreeMap<>();
        byReplica
                .values()
                .forEach(own ->
                        own.tailMap(after, false).forEach((end, each) -> sums.merge(end, each.tick(), Tick::plus)));
        return new ArrayList<>(sums.values());
    }

    /** The latest tick of each replica that is alive, in a fixed order. */
    List<ReplicaTick> alive(long now) {
        return latest(end -> end > now - ALIVE_MILLIS);
    }

    /** The latest tick of each replica that is alive no more, in a fixed order; not of one that has a successor of the same name. */
    List<ReplicaTick> gone(long now) {
        Set<String> names = alive(now).stream().map(ReplicaTick::name).collect(Collectors.toSet());
        return latest(end -> end <= now - ALIVE_MILLIS).stream()
                .filter(tick -> !names.contains(tick.name()))
                .toList();
    }

    private List<ReplicaTick> latest(LongPredicate isWanted) {
        return byReplica.values().stream()
                .map(own -> own.lastEntry().getValue())
                .filter(tick -> isWanted.test(tick.tick().end()))
                .sorted(Comparator.comparing(ReplicaTick::name).thenComparing(ReplicaTick::id))
                .toList();
    }
}
