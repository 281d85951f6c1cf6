package io.sluice.benchmarks.load;

import org.jspecify.annotations.Nullable;

/**
 * The result of one contestant in one case.
 *
 * @param rate calls per second; for some cases another number, such as bytes
 * @param p99Micros the 99th percentile of the latency, in microseconds
 * @param ratio the rate of Sluice divided by this rate, if it was taken round by round
 */
public record Measurement(
        String who,
        @Nullable Double rate,
        @Nullable Double p99Micros,
        @Nullable Double ratio) {
    /** A result without a ratio of its own. */
    public Measurement(String who, @Nullable Double rate, @Nullable Double p99Micros) {
        this(who, rate, p99Micros, null);
    }
}
