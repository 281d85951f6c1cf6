package io.sluice.benchmarks.local;

import io.sluice.CalendarPeriod;
import io.sluice.Limit;
import io.sluice.benchmarks.common.Expect;
import java.time.Duration;
import java.time.ZoneId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A gate of every algorithm except the token bucket, one thread. */
public class Algorithms {
    /** A mix of allowed and denied calls: a second call in the same microsecond would have to wait, so it is denied. */
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

    @Benchmark
    public boolean calendar(Calendar handle) {
        return Expect.admitted(handle.tryAcquire());
    }

    /** A mix of allowed and denied calls, as with the leaky bucket. */
    @Benchmark
    public boolean warmUp(WarmUp handle) {
        return handle.tryAcquire();
    }

    @State(Scope.Benchmark)
    public static class Leaky extends SluiceGate {
        public Leaky() {
            super(Limit.leakyBucket(BenchmarkLimits.PLENTY, BenchmarkLimits.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Fixed extends SluiceGate {
        public Fixed() {
            super(Limit.fixedWindow(BenchmarkLimits.PLENTY, BenchmarkLimits.SECOND));
        }
    }

    @State(Scope.Benchmark)
    public static class Log extends SluiceGate {
        public Log() {
            // The longest log that is accepted, with a window so short that the log never fills.
            super(Limit.slidingLog(100_000, Duration.ofMillis(1)));
        }
    }

    @State(Scope.Benchmark)
    public static class Calendar extends SluiceGate {
        public Calendar() {
            super(Limit.calendarWindow(
                    BenchmarkLimits.PLENTY_A_MONTH, CalendarPeriod.MONTH, ZoneId.of("Europe/Berlin")));
        }
    }

    @State(Scope.Benchmark)
    public static class WarmUp extends SluiceGate {
        public WarmUp() {
            super(Limit.warmUp(BenchmarkLimits.PLENTY, BenchmarkLimits.SECOND, Duration.ofSeconds(10)));
        }
    }

    @State(Scope.Benchmark)
    public static class Counter extends SluiceGate {
        public Counter() {
            super(Limit.slidingCounter(BenchmarkLimits.PLENTY, BenchmarkLimits.SECOND));
        }
    }
}
