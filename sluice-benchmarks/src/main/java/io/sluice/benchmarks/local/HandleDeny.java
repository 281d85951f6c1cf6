package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.Expect;
import org.openjdk.jmh.annotations.Benchmark;

/** A limiter of one key, one thread, all calls denied. */
public class HandleDeny {
    @Benchmark
    public boolean sluice(SluiceGate.Drained sluice) {
        return Expect.denied(sluice.tryAcquire());
    }

    @Benchmark
    public boolean guava(GuavaPeer.Drained guava) {
        return Expect.denied(guava.tryAcquire());
    }

    @Benchmark
    public boolean bucket4j(Bucket4jPeer.Drained bucket4j) {
        return Expect.denied(bucket4j.tryAcquire());
    }

    @Benchmark
    public boolean resilience4j(Resilience4jPeer.Drained resilience4j) {
        return Expect.denied(resilience4j.tryAcquire());
    }

    @Benchmark
    public boolean failsafe(FailsafePeer.Drained failsafe) {
        return Expect.denied(failsafe.tryAcquire());
    }

    @Benchmark
    public boolean sentinel(SentinelPeer.Drained sentinel) {
        return Expect.denied(sentinel.tryAcquire());
    }
}
