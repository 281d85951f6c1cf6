package io.sluice.benchmarks.local;

import org.openjdk.jmh.annotations.Benchmark;

/** The clock alone: a lower bound for every limiter that reads it. */
public class NanoTime {
    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }
}
