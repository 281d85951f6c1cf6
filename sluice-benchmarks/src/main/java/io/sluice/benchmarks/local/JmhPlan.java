package io.sluice.benchmarks.local;

import java.time.Duration;

/**
 * The number and length of JMH runs.
 *
 * @param rounds the maximum number of runs of each benchmark
 * @param asides the number of runs of a benchmark that is only for information
 * @param iterations the number of warm-up iterations and of measured iterations in every run
 * @param iterationTime the length of each iteration
 * @param budget the maximum time of all rounds together
 */
record JmhPlan(int rounds, int asides, int iterations, Duration iterationTime, Duration budget) {
    static JmhPlan quick() {
        return new JmhPlan(3, 1, 5, Duration.ofMillis(50), Duration.ofSeconds(90));
    }

    static JmhPlan full() {
        return new JmhPlan(9, 3, 10, Duration.ofMillis(100), Duration.ofMinutes(9));
    }
}
