package io.sluice.benchmarks.adaptive;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A part of a scenario in which nothing changes.
 *
 * @param seconds how long it takes
 * @param workers how many requests are served at a time; the others wait in a queue
 * @param serviceMillis how long a worker takes, on average
 * @param dependencyMillis how long a request waits for something else before, on average; it needs no worker meanwhile
 * @param variation the standard deviation of both times, as a share of the average
 * @param arrivals requests per second
 * @param pauses whether the process stands still for 50 ms every 10 s
 */
record Phase(
        int seconds,
        int workers,
        double serviceMillis,
        double dependencyMillis,
        double variation,
        double arrivals,
        boolean pauses) {
    private static final int DRAWS = 50_000;

    /** Requests per second that the workers can serve. */
    double capacity() {
        return workers / serviceMillis * 1000 * (pauses ? 0.995 : 1);
    }

    double ideal() {
        return Math.min(arrivals, capacity());
    }

    /** A percentile of the latency of requests that never wait for a worker, in microseconds. */
    long unloadedPercentile(double percentile) {
        SplittableRandom random = new SplittableRandom(7);
        long[] latencies = new long[DRAWS];
        for (int i = 0; i < DRAWS; i++) {
            latencies[i] = serviceMicros(random) + dependencyMicros(random);
        }
        Arrays.sort(latencies);
        return latencies[(int) (DRAWS * percentile / 100)];
    }

    long serviceMicros(SplittableRandom random) {
        return Math.max(1, logNormal(random, serviceMillis));
    }

    long dependencyMicros(SplittableRandom random) {
        return logNormal(random, dependencyMillis);
    }

    private long logNormal(SplittableRandom random, double meanMillis) {
        if (meanMillis == 0) {
            return 0;
        }
        double variance = Math.log(1 + variation * variation);
        double gauss = Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
        return Math.round(1000 * meanMillis * Math.exp(gauss * Math.sqrt(variance) - variance / 2));
    }
}
