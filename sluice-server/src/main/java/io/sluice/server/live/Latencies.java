package io.sluice.server.live;

import io.sluice.policy.LatencyListener;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/*
 * Latencies are counted in buckets, eight for each power of two, so that counts of several replicas can be added. A percentile
 * is the middle of its bucket: at most 6% wrong.
 */
/** Counts the latencies of decisions. Thread-safe. */
final class Latencies implements LatencyListener {
    private static final int SUB_BITS = 3;
    private static final int SUBS = 1 << SUB_BITS;

    /** Up to 2^40 ns, which is 18 minutes. */
    private static final int BUCKETS = (41 - SUB_BITS) * SUBS;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

    @Override
    public void decided(long nanos) {
        counts.incrementAndGet(bucket(nanos));
    }

    /** The counts since the last call, by bucket; without empty buckets. */
    SortedMap<Integer, Long> take() {
        SortedMap<Integer, Long> taken = new TreeMap<>();
        for (int i = 0; i < BUCKETS; i++) {
            long count = counts.get(i) == 0 ? 0 : counts.getAndSet(i, 0);
            if (count > 0) {
                taken.put(i, count);
            }
        }
        return taken;
    }

    static int bucket(long nanos) {
        if (nanos < SUBS) {
            return (int) Math.max(0, nanos);
        }
        int exponent = 63 - Long.numberOfLeadingZeros(nanos);
        int sub = (int) (nanos >>> (exponent - SUB_BITS)) & (SUBS - 1);
        return Math.min(BUCKETS - 1, (exponent - SUB_BITS + 1) * SUBS + sub);
    }

    /** The middle of a bucket, in nanoseconds. */
    static long middle(int bucket) {
        if (bucket < SUBS) {
            return bucket;
        }
        int shift = bucket / SUBS - 1;
        long low = (long) (SUBS + bucket % SUBS) << shift;
        return low + (1L << shift) / 2;
    }

    /**
     * A percentile in microseconds, rounded up; 0 if there are no latencies.
     *
     * @param percent 0 to 100
     */
    static long percentileMicros(SortedMap<Integer, Long> counts, int percent) {
        long total = counts.values().stream().mapToLong(Long::longValue).sum();
        long rank = Math.max(1, (total * percent + 99) / 100);
        long seen = 0;
        for (Map.Entry<Integer, Long> each : counts.entrySet()) {
            seen += each.getValue();
            if (seen >= rank) {
                return (middle(each.getKey()) + 999) / 1000;
            }
        }
        return 0;
    }
}
