package io.sluice.benchmarks.load;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/** A histogram of latencies. Thread-safe. */
public final class Latencies {
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);
    private static final int DIGITS = 3;

    private final ConcurrentHistogram nanos = new ConcurrentHistogram(1, LONGEST, DIGITS);

    public void add(long tookNanos) {
        nanos.recordValue(Math.min(Math.max(1, tookNanos), LONGEST));
    }

    public double p99Micros() {
        return nanos.getValueAtPercentile(99) / 1000.0;
    }

    public double p999Micros() {
        return nanos.getValueAtPercentile(99.9) / 1000.0;
    }

    public double maxMicros() {
        return nanos.getMaxValue() / 1000.0;
    }
}
