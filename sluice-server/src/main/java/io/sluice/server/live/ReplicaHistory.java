package io.sluice.server.live;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The ticks of some replicas over the last 15 minutes. Not thread-safe. */
final class ReplicaHistory {
    static final Duration KEPT = Duration.ofMinutes(15);

    /** Maximum number of ticks of one replica. */
    static final int MAX_TICKS = (int) (KEPT.toMillis() / Tick.MILLIS);

    private static final int MAX_REPLICAS = 1000;

    /** A replica counts as alive for this long after its latest tick. */
    private static final long ALIVE_MILLIS = 3 * Tick.MILLIS;

    private final Map<String, ArrayDeque<ReplicaTick>> byReplica = new HashMap<>();

    /** Adds ticks that are newer than those of the same replica. */
    void add(Collection<ReplicaTick> ticks) {
        ticks.stream()
                .sorted((one, other) ->
                        Long.compare(one.tick().end(), other.tick().end()))
                .forEach(this::add);
    }

    private void add(ReplicaTick tick) {
        if (byReplica.size() >= MAX_REPLICAS && !byReplica.containsKey(tick.id())) {
            return;
        }
        ArrayDeque<ReplicaTick> own = byReplica.computeIfAbsent(tick.id(), unused -> new ArrayDeque<>());
        ReplicaTick latest = own.peekLast();
        if (latest == null || latest.tick().end() < tick.tick().end()) {
            own.addLast(tick);
        }
    }

    /** Forgets what is older than 15 minutes. */
    void forgetBefore(long now) {
        long first = now - KEPT.toMillis();
        byReplica.values().forEach(own -> {
            while (!own.isEmpty() && (own.getFirst().tick().end() <= first || own.size() > MAX_TICKS)) {
                own.removeFirst();
            }
        });
        byReplica.values().removeIf(ArrayDeque::isEmpty);
    }

    /** The sums over all replicas after a time, oldest first. */
    List<Tick> sumsAfter(long after) {
        TreeMap<Long, Tick> sums = new TreeMap<>();
        byReplica
                .values()
                .forEach(own -> own.descendingIterator().forEachRemaining(each -> {
                    if (each.tick().end() > after) {
                        sums.merge(each.tick().end(), each.tick(), Tick::plus);
                    }
                }));
        return new ArrayList<>(sums.values());
    }

    /** The latest tick of each replica that is alive, in a fixed order. */
    List<ReplicaTick> alive(long now) {
        List<ReplicaTick> alive = new ArrayList<>();
        byReplica.values().forEach(own -> {
            ReplicaTick latest = own.getLast();
            if (latest.tick().end() > now - ALIVE_MILLIS) {
                alive.add(latest);
            }
        });
        alive.sort((one, other) -> (one.name() + one.id()).compareTo(other.name() + other.id()));
        return alive;
    }
}
