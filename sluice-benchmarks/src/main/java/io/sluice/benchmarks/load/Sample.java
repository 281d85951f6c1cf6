package io.sluice.benchmarks.load;

import java.util.concurrent.TimeUnit;

/** The result of one run of a {@link Load}: calls, time, and the 99th percentile of the latency. */
public record Sample(long calls, long nanos, double p99Micros) {
    /** Calls per second. */
    public double perSecond() {
        return calls * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    }
}
