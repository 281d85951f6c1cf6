package io.sluice;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The words of a limit's text, for reading and for printing. */
final class LimitText {
    /** Every word for a unit of time, in microseconds. */
    static final Map<String, Long> UNITS = new LinkedHashMap<>();

    private static final long MS = 1000;
    private static final long SECOND = 1000 * MS;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    static {
        UNITS.put("ms", MS);
        UNITS.put("s", SECOND);
        UNITS.put("sec", SECOND);
        UNITS.put("second", SECOND);
        UNITS.put("m", MINUTE);
        UNITS.put("min", MINUTE);
        UNITS.put("minute", MINUTE);
        UNITS.put("h", HOUR);
        UNITS.put("hour", HOUR);
        UNITS.put("d", DAY);
        UNITS.put("day", DAY);
    }

    private LimitText() {}

    /** The algorithm and the rate, as in {@code token-bucket 10/s} or {@code token-bucket 2 per 5s}. */
    static String rate(Limit limit, long permits, Duration period) {
        String unit = unit(Exact.micros(period));
        return limit.algorithm() + " " + permits + (unit.isEmpty() ? " per " + duration(period) : "/" + unit);
    }

    private static String unit(long micros) {
        if (micros == MINUTE) {
            return "min";
        }
        String text = duration(Exact.duration(micros));
        return text.charAt(0) == '1' && !Character.isDigit(text.charAt(1)) ? text.substring(1) : "";
    }

    /** The duration in the largest unit that says it whole, as in {@code 90s}. */
    static String duration(Duration duration) {
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
