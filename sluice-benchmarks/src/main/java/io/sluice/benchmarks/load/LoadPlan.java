package io.sluice.benchmarks.load;

import java.time.Duration;

/**
 * The number and length of rounds.
 *
 * @param warmUps the number of rounds before the measured ones
 * @param rounds the maximum number of measured rounds
 * @param time the time of each contestant in each round
 * @param budget the maximum time of all rounds together; the first measured round always runs
 */
public record LoadPlan(int warmUps, int rounds, Duration time, Duration budget) {
    /** Two minutes, less exact. */
    public static LoadPlan quick() {
        return new LoadPlan(2, 3, Duration.ofSeconds(1), Duration.ofSeconds(105));
    }

    /** Long enough for results that can be trusted. */
    public static LoadPlan full() {
        return new LoadPlan(3, 9, Duration.ofMillis(2500), Duration.ofMinutes(9));
    }
}
