package io.sluice.adapt;

import io.sluice.exact.Exact;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.DoubleSupplier;

/**
 * A percentile of the latencies that are reported, as a share of a target: 1 means that the target is just met. Each reading is about
 * the latencies since the last reading; {@code NaN} if there were none. Reporting is thread-safe and allocates nothing. A percentile is
 * right within 3%.
 */
public final class LatencySignal implements DoubleSupplier {
    /** Each power of two has this many counters. */
    private static final int PARTS = 32;

    private static final int PART_BITS = 5;

    private final AtomicLongArray counters = new AtomicLongArray((Long.SIZE - PART_BITS) * PARTS);
    private final double percentile;
    private final double targetMicros;

    LatencySignal(double percentile, Duration target) {
        if (!(percentile > 0 && percentile <= 100)) {
            throw new IllegalArgumentException("percentile: " + percentile + " (expected: more than 0, at most 100)");
        }
        if (target.isNegative() || target.isZero()) {
            throw new IllegalArgumentException("target: " + target + " (expected: more than 0)");
        }
        this.percentile = percentile;
        this.targetMicros = Math.max(1, Exact.micros(target));
    }

    /** Reports how long a request took. */
    public void report(Duration latency) {
        reportMicros(Exact.microsUp("latency", latency));
    }

    /** Reports how many microseconds a request took. */
    public void reportMicros(long latency) {
        counters.incrementAndGet(indexOf(Math.max(0, latency)));
    }

    /** The percentile of the latencies since the last reading, divided by the target. */
    @Override
    public synchronized double getAsDouble() {
        long[] counts = new long[counters.length()];
        long sum = 0;
        for (int i = 0; i < counts.length; i++) {
            counts[i] = counters.getAndSet(i, 0);
            sum += counts[i];
        }
        if (sum == 0) {
            return Double.NaN;
        }
        double rest = sum * percentile / 100;
        int index = 0;
        while (index < counts.length - 1 && counts[index] < rest) {
            rest -= counts[index];
            index++;
        }
        return largestAt(index) / targetMicros;
    }

    private static int indexOf(long micros) {
        if (micros < PARTS) {
            return (int) micros;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros) - PART_BITS;
        return (shift + 1) * PARTS + (int) ((micros >> shift) - PARTS);
    }

    private static long largestAt(int index) {
        if (index < PARTS) {
            return index;
        }
        int shift = index / PARTS - 1;
        return ((long) (index % PARTS + PARTS + 1) << shift) - 1;
    }
}
