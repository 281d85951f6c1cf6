package io.sluice.benchmarks;

import io.sluice.Decision;
import org.openjdk.jmh.annotations.Benchmark;

/** The full decision, asked by the key's name, one thread. */
public class Check {
    @Benchmark
    public Decision sluice(SluiceLimiter sluice) {
        Decision decision = sluice.check();
        Expect.admitted(decision.allowed());
        return decision;
    }
}
