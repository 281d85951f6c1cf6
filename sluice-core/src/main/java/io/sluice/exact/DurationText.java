package io.sluice.exact;

import java.time.Duration;

/** Writes durations as in the text of a limit. */
public final class DurationText {
    public static final long MS = 1000;
    public static final long SECOND = 1000 * MS;
    public static final long MINUTE = 60 * SECOND;
    public static final long HOUR = 60 * MINUTE;
    public static final long DAY = 24 * HOUR;

    private DurationText() {}

    /** The duration in the largest unit that gives a whole number, as in {@code 90s}. */
    public static String of(Duration duration) {
        long micros = Exact.micros(duration);
        if (micros % DAY == 0) {
            return micros / DAY + "d";
        } else if (micros % HOUR == 0) {
            return micros / HOUR + "h";
        } else if (micros % MINUTE == 0) {
            return micros / MINUTE + "m";
        } else if (micros % SECOND == 0) {
            return micros / SECOND + "s";
        }
        return micros / MS + "ms";
    }
}
