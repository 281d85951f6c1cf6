package io.sluice.benchmarks;

import io.sluice.Limit;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The handle of every algorithm but the token bucket, one thread. */
public class Algorithms {
    /** A mix: whoever comes within the same microsecond would have to wait, and so gets nothing. */
    @Benchmark
    public boolean leakyBucket(Leaky handle) {
        return handle.tryAcquire();
    }

    @Benchmark
    public boolean fixedWindow(Fixed handle) {
        return Expect.admitted(handle.tryAcquire());
    }

    @Benchmark
    public boolean slidingLog(Log handle) {
        return Expect.admitted(handle.tryAcquire());
    }

    @Benchmark
    public boolean slidingCounter(Counter handle) {
        return Expect.admitted(handle.tryAcquire());
    }

    @State(Scope.Benchmark)
    public static class Leaky extends SluiceHandle {
        public Leaky() {
            super(Limit.leakyBucket(Rates.PLENTY, Rates.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Fixed extends SluiceHandle {
        public Fixed() {
            super(Limit.fixedWindow(Rates.PLENTY, Rates.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Log extends SluiceHandle {
        public Log() {
            // As long as a log may be, so for a window so short that it never fills.
            super(Limit.slidingLog(100_000, Duration.ofMillis(1)));
        }
    }

    @State(Scope.Benchmark)
    public static class Counter extends SluiceHandle {
        public Counter() {
            super(Limit.slidingCounter(Rates.PLENTY, Rates.SECOND));
        }
    }
}
