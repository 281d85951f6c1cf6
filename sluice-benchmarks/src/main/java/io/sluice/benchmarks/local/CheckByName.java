package io.sluice.benchmarks.local;

import io.sluice.Decision;
import io.sluice.benchmarks.common.Expect;
import org.openjdk.jmh.annotations.Benchmark;

/** A full decision by the name of the key, one thread. */
public class CheckByName {
    @Benchmark
    public Decision sluice(SluiceLimiter sluice) {
        Decision decision = sluice.check();
        Expect.admitted(decision.allowed());
        return decision;
    }
}
