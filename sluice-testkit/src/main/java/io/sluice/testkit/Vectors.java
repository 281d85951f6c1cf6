package io.sluice.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.Decision;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Loads the test vectors of the testkit. Any store must decide a request for {@link Vector.Row#permits()} at {@link
 * Vector.Row#micros()} with exactly {@link Vector.Row#decision()}, row after row.
 */
public final class Vectors {
    private static final String LIMIT = "# limit: ";
    private static final String HEADER = "time_us,key,permits,allowed,remaining,retry_after_us,delay_us,reset_after_us";

    private static final List<String> NAMES = List.of(
            "fixed-window",
            "fixed-window-from-first",
            "leaky-bucket",
            "leaky-bucket-thirds",
            "lockout",
            "lockout-bucket",
            "escalate",
            "escalate-bucket",
            "calendar-day",
            "calendar-week",
            "calendar-month",
            "warm-up",
            "warm-up-sevenths",
            "sliding-counter",
            "sliding-counter-default",
            "sliding-log",
            "token-bucket",
            "token-bucket-fast",
            "token-bucket-interval",
            "token-bucket-slow",
            "token-bucket-thirds");

    private Vectors() {}

    /** The names of all vectors. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * The vector of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Vector load(String name) {
        List<String> lines = read(name).lines().toList();
        if (!lines.get(0).startsWith(LIMIT) || !lines.get(1).equals(HEADER)) {
            throw new IllegalStateException(
                    "vector " + name + ": " + lines.get(0) + " (expected: " + LIMIT + "..., then " + HEADER + ")");
        }
        List<Vector.Row> rows = lines.stream().skip(2).map(Vectors::row).toList();
        return new Vector(name, lines.get(0).substring(LIMIT.length()), rows);
    }

    private static Vector.Row row(String line) {
        String[] cells = line.split(",", -1);
        long retryAfter = Long.parseLong(cells[5]);
        Decision decision = new Decision(
                Boolean.parseBoolean(cells[3]),
                Long.parseLong(cells[4]),
                retryAfter == -1 ? Decision.NEVER : retryAfter,
                Long.parseLong(cells[6]),
                Long.parseLong(cells[7]));
        return new Vector.Row(Long.parseLong(cells[0]), cells[1], Long.parseLong(cells[2]), decision);
    }

    private static String read(String name) {
        try (InputStream file = Vectors.class.getResourceAsStream("vectors/" + name + ".csv")) {
            if (file == null) {
                throw new IllegalArgumentException("vector: " + name + " (expected: one of " + NAMES + ")");
            }
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
