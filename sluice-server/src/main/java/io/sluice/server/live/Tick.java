package io.sluice.server.live;

import io.sluice.policy.Counts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What happened in one interval: on one replica, or on several.
 *
 * @param end the end of the interval, in milliseconds since the epoch
 * @param replicas the number of replicas
 * @param total the decisions on requests
 * @param policies the decisions of each policy that decided something
 * @param latencies counts by bucket, see {@link Latencies}
 * @param storeReachable whether every replica reached the store
 */
record Tick(
        long end,
        int replicas,
        Counts total,
        Map<String, Counts> policies,
        SortedMap<Integer, Long> latencies,
        boolean storeReachable) {
    static final long MILLIS = 2000;

    /** Maximum number of policies of a tick. The counts of the others are added up under {@link #OTHER}. */
    static final int MAX_POLICIES = 50;

    static final String OTHER = "(other)";

    /** A tick of one replica. */
    static Tick of(
            long end,
            Counts total,
            Map<String, Counts> all,
            SortedMap<Integer, Long> latencies,
            boolean storeReachable) {
        return new Tick(end, 1, total, bounded(all), latencies, storeReachable);
    }

    private static Map<String, Counts> bounded(Map<String, Counts> all) {
        List<Map.Entry<String, Counts>> busy = new ArrayList<>();
        all.entrySet().stream().filter(each -> each.getValue().total() > 0).forEach(busy::add);
        busy.sort(Comparator.comparingLong((Map.Entry<String, Counts> each) ->
                        each.getKey().equals(OTHER) ? 0 : each.getValue().total())
                .reversed());
        Map<String, Counts> policies = new TreeMap<>();
        for (int i = 0; i < busy.size(); i++) {
            String name = i < MAX_POLICIES ? busy.get(i).getKey() : OTHER;
            policies.merge(name, busy.get(i).getValue(), Tick::sum);
        }
        return policies;
    }

    /** Both ticks, of the same interval, as one. */
    Tick plus(Tick other) {
        Map<String, Counts> both = new HashMap<>(policies);
        other.policies.forEach((name, counts) -> both.merge(name, counts, Tick::sum));
        SortedMap<Integer, Long> sum = new TreeMap<>(latencies);
        other.latencies.forEach((bucket, count) -> sum.merge(bucket, count, Long::sum));
        return new Tick(
                end,
                replicas + other.replicas,
                sum(total, other.total),
                bounded(both),
                sum,
                storeReachable && other.storeReachable);
    }

    private static Counts sum(Counts one, Counts other) {
        return new Counts(
                one.allowed() + other.allowed(),
                one.denied() + other.denied(),
                one.shadowDenied() + other.shadowDenied(),
                one.degraded() + other.degraded());
    }
}
