package io.sluice.benchmarks.local;

import io.github.bucket4j.Bucket;
import io.sluice.benchmarks.common.Expect;
import java.time.Duration;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A local Bucket4j bucket, lock-free by default. */
public abstract class Bucket4jPeer {
    private final Bucket limiter;

    Bucket4jPeer(Bucket limiter) {
        this.limiter = limiter;
    }

    final boolean tryAcquire() {
        return limiter.tryConsume(1);
    }

    static Bucket bucket(long capacity, long permits, Duration period) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(capacity).refillGreedy(permits, period))
                .build();
    }

    @State(Scope.Benchmark)
    public static class Plenty extends Bucket4jPeer {
        public Plenty() {
            super(bucket(BenchmarkLimits.PLENTY, BenchmarkLimits.PLENTY, BenchmarkLimits.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Drained extends Bucket4jPeer {
        public Drained() {
            super(bucket(1, 1, BenchmarkLimits.DAY));
            Expect.admitted(tryAcquire());
        }
    }
}
