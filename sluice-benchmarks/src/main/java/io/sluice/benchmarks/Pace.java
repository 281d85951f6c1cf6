package io.sluice.benchmarks;

import java.time.Duration;

/**
 * How thoroughly to measure.
 *
 * @param rounds how often a benchmark runs, at most
 * @param asides how often one runs on which nothing depends
 * @param iterations of warming up, and as many of measuring, in every run
 * @param iterationTime how long each of them takes
 * @param budget no round starts that would not end by then, counted from the beginning
 */
record Pace(int rounds, int asides, int iterations, Duration iterationTime, Duration budget) {
    static Pace quick() {
        return new Pace(3, 1, 5, Duration.ofMillis(50), Duration.ofSeconds(90));
    }

    static Pace full() {
        return new Pace(9, 3, 10, Duration.ofMillis(100), Duration.ofMinutes(9));
    }
}
