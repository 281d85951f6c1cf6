package io.sluice.benchmarks.common;

import java.util.List;

/** The median, which a few disturbed runs do not change. */
public final class Median {
    private Median() {}

    public static double of(List<Double> numbers) {
        List<Double> sorted = numbers.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
