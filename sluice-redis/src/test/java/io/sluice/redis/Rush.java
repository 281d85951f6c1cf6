package io.sluice.redis;

import io.sluice.Limit;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The task of all processes of a {@link Crowd}: repeated requests for 1 to {@code mostPermits} permits of random keys. Times
 * are milliseconds since the epoch.
 */
record Rush(String name, List<Limit> limits, int keys, int mostPermits, long startMillis, long endMillis) {
    private static final String BETWEEN_LIMITS = " & ";

    static List<Limit> limits(String text) {
        return Arrays.stream(text.split(BETWEEN_LIMITS, -1)).map(Limit::parse).toList();
    }

    /** On one line. */
    String text() {
        String texts = limits.stream().map(Limit::toString).collect(Collectors.joining(BETWEEN_LIMITS));
        return String.join(";", name, texts, keys + "", mostPermits + "", startMillis + "", endMillis + "");
    }

    static Rush parse(String text) {
        String[] parts = text.split(";", -1);
        return new Rush(
                parts[0],
                limits(parts[1]),
                Integer.parseInt(parts[2]),
                Integer.parseInt(parts[3]),
                Long.parseLong(parts[4]),
                Long.parseLong(parts[5]));
    }
}
