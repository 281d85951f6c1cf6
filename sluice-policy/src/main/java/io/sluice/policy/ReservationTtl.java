package io.sluice.policy;

import io.sluice.FixedWindow;
import io.sluice.Limit;
import io.sluice.LimitSyntaxException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads how long a reservation can be settled: a duration as in limits, such as {@code 60s}, from 1 s to 1 h. */
public final class ReservationTtl {
    /** What is expected, for error messages. */
    public static final String EXPECTED = "a duration from 1s to 1h, such as 60s";

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);

    private ReservationTtl() {}

    /** The duration; null if the text is none, or it is too short or too long. */
    public static @Nullable Duration parse(String text) {
        if (text.length() > 20 || !text.matches("[0-9]+[a-z]+")) {
            return null;
        }
        try {
            // The syntax of durations is that of limits.
            return Limit.parse("fixed-window 1 per " + text) instanceof FixedWindow window
                            && window.window().compareTo(SHORTEST) >= 0
                            && window.window().compareTo(LONGEST) <= 0
                    ? window.window()
                    : null;
        } catch (LimitSyntaxException e) {
            return null;
        }
    }
}
