package io.sluice.server.resp;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A model of redis-cell: a theoretical arrival time for each key, in nanoseconds. */
final class GcraModel {
    private static final long SECOND = 1_000_000_000;
    private static final long MILLISECOND = 1_000_000;

    private final Map<String, Long> arrivals = new HashMap<>();
    private final long interval;
    private final long limit;

    GcraModel(long maxBurst, long count, long period) {
        interval = (long) (period * (double) SECOND / count);
        limit = maxBurst + 1;
    }

    /** The five numbers of a reply. */
    List<Long> throttle(String key, long quantity, long nanos) {
        long arrival = Math.max(nanos, arrivals.getOrDefault(key, nanos));
        long next = arrival + interval * quantity;
        long tolerance = interval * limit;
        boolean limited = next - nanos > tolerance;
        long retry = -1;
        if (limited) {
            retry = interval * quantity <= tolerance ? seconds(next - nanos - tolerance) : -1;
        } else {
            arrivals.put(key, next);
        }
        long ttl = (limited ? arrival : next) - nanos;
        return List.of(limited ? 1L : 0L, limit, (tolerance - ttl) / interval, retry, seconds(ttl));
    }

    /** Drops fractions of a millisecond, then rounds up to seconds. */
    private static long seconds(long nanos) {
        return nanos / SECOND + (nanos % SECOND >= MILLISECOND ? 1 : 0);
    }
}
