package io.sluice.benchmarks.load;

import org.jspecify.annotations.Nullable;

/**
 * What was measured of one contestant in one case.
 *
 * @param rate calls in a second; or bytes, if the case is about those
 * @param p99Micros 99 percent of the calls took at most so long
 */
public record Figure(
        String who, @Nullable Double rate, @Nullable Double p99Micros) {}
