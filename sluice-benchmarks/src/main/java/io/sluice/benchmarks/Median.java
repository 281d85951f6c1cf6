package io.sluice.benchmarks;

import java.util.List;

/** The middle: what a few disturbed runs do not move. */
public final class Median {
    private Median() {}

    public static double of(List<Double> numbers) {
        List<Double> sorted = numbers.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
