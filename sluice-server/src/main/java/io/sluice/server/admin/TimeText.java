package io.sluice.server.admin;

import io.sluice.FixedWindow;
import io.sluice.Limit;
import io.sluice.LimitSyntaxException;
import java.time.Duration;
import java.util.regex.Pattern;

/** Parses durations of requests, as in limits: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 1d}. */
final class TimeText {
    private static final Pattern SHAPE = Pattern.compile("[0-9]{1,15}[a-z]{1,6}");

    private TimeText() {}

    /** @throws IllegalArgumentException if it is no duration, or outside the bounds */
    static Duration parse(String field, String text, Duration min, Duration max, String expected) {
        if (SHAPE.matcher(text).matches()) {
            try {
                Duration time = ((FixedWindow) Limit.parse("fixed-window 1 per " + text)).window();
                if (time.compareTo(min) >= 0 && time.compareTo(max) <= 0) {
                    return time;
                }
            } catch (LimitSyntaxException e) {
                // The error below does not mention limits.
            }
        }
        throw new IllegalArgumentException(field + ": " + text + " (expected: " + expected + ")");
    }
}
