package io.sluice.benchmarks.redis;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/** How long calls took. Thread-safe. */
final class Latencies {
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 3;

    private final ConcurrentHistogram nanos = new ConcurrentHistogram(1, LONGEST, DIGITS);

    void add(long tookNanos) {
        nanos.recordValue(Math.min(Math.max(1, tookNanos), LONGEST));
    }

    double p99Micros() {
        return nanos.getValueAtPercentile(99) / 1000.0;
    }
}
