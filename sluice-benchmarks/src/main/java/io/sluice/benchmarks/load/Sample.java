package io.sluice.benchmarks.load;

import java.util.concurrent.TimeUnit;

/** What came of a {@link Load}: so many calls in so many nanoseconds, of which 99 percent took at most so long. */
public record Sample(long calls, long nanos, double p99Micros) {
    /** Calls in a second. */
    public double perSecond() {
        return calls * (double) TimeUnit.SECONDS.toNanos(1) / nanos;
    }
}
