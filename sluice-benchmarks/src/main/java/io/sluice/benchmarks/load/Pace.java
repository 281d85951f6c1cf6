package io.sluice.benchmarks.load;

import java.time.Duration;

/**
 * How thoroughly to measure.
 *
 * @param warmUps rounds that do not count
 * @param rounds rounds that do, at most
 * @param time how long each contestant runs in each
 * @param budget but for the first, no round starts that would not end by then, counted from the beginning
 */
public record Pace(int warmUps, int rounds, Duration time, Duration budget) {
    /** Within two minutes, and noisy. */
    public static Pace quick() {
        return new Pace(2, 3, Duration.ofSeconds(1), Duration.ofSeconds(105));
    }

    /** As long as it takes to trust the figures. */
    public static Pace full() {
        return new Pace(3, 9, Duration.ofMillis(2500), Duration.ofMinutes(9));
    }
}
