package io.sluice.benchmarks;

import org.openjdk.jmh.annotations.Benchmark;

/** The clock by itself: what no limiter that reads it can beat. */
public class NanoTime {
    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }
}
