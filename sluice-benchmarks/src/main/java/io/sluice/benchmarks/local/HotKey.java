package io.sluice.benchmarks.local;

import io.sluice.benchmarks.common.Expect;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Threads;

/** One key, two threads, all calls allowed. */
@Threads(2)
public class HotKey {
    @Benchmark
    public boolean sluice(SluiceGate.Plenty sluice) {
        return Expect.admitted(sluice.tryAcquire());
    }

    @Benchmark
    public boolean sluiceByName(SluiceLimiter sluice) {
        return Expect.admitted(sluice.tryAcquire());
    }

    @Benchmark
    public boolean guava(GuavaPeer.Plenty guava) {
        return Expect.admitted(guava.tryAcquire());
    }

    @Benchmark
    public boolean bucket4j(Bucket4jPeer.Plenty bucket4j) {
        return Expect.admitted(bucket4j.tryAcquire());
    }

    @Benchmark
    public boolean resilience4j(Resilience4jPeer.Plenty resilience4j) {
        return Expect.admitted(resilience4j.tryAcquire());
    }

    @Benchmark
    public boolean failsafe(FailsafePeer.Plenty failsafe) {
        return Expect.admitted(failsafe.tryAcquire());
    }

    @Benchmark
    public boolean sentinel(SentinelPeer.Plenty sentinel) {
        return Expect.admitted(sentinel.tryAcquire());
    }
}
