package io.sluice.benchmarks.redis;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Generates the keys of one run: 20 bytes each, and not used by others in that Redis. */
final class Keys {
    private static final int RADIX = 36;

    private final String prefix = new Random()
            .ints(6, 0, RADIX)
            .mapToObj(digit -> Integer.toString(digit, RADIX))
            .collect(Collectors.joining());
    private int next;

    /** The key prefix of Sluice in this run, as long as the default prefix {@code sluice}. */
    String prefix() {
        return prefix;
    }

    String one() {
        return String.format(Locale.ROOT, "bench%s-%08d", prefix, next++);
    }

    List<String> many(int count) {
        return IntStream.range(0, count).mapToObj(i -> one()).toList();
    }
}
