package io.sluice.server.simulate.chart;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Round durations for a time axis, in microseconds, and their texts. */
public final class TimeScale {
    public static final long MICRO = 1;
    public static final long MILLI = 1000 * MICRO;
    public static final long SECOND = 1000 * MILLI;
    public static final long MINUTE = 60 * SECOND;
    public static final long HOUR = 60 * MINUTE;
    public static final long DAY = 24 * HOUR;

    /** Round durations in ascending order. */
    static final long[] ROUND = all(
            of(MICRO, 1, 2, 5, 10, 20, 50, 100, 200, 500),
            of(MILLI, 1, 2, 5, 10, 20, 50, 100, 200, 500),
            of(SECOND, 1, 2, 5, 10, 20, 30),
            of(MINUTE, 1, 2, 5, 10, 20, 30),
            of(HOUR, 1, 2, 4, 6, 12),
            of(DAY, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000));

    private TimeScale() {}

    static LongStream of(long unit, long... counts) {
        return Arrays.stream(counts).map(count -> count * unit);
    }

    static long[] all(LongStream... spans) {
        return Stream.of(spans).flatMapToLong(Function.identity()).toArray();
    }

    /** The smallest round step that divides a span into at most {@code most} parts. */
    public static long step(long span, int most) {
        return Arrays.stream(ROUND)
                .filter(step -> span / step <= most)
                .findFirst()
                .orElse(span);
    }

    /** A duration as text, such as 0, 1.5 ms or 1 min 30 s. */
    public static String text(long micros) {
        if (micros == 0) {
            return "0";
        }
        if (micros < MILLI) {
            return micros + " µs";
        }
        if (micros < SECOND) {
            return decimal(micros, MILLI) + " ms";
        }
        if (micros < MINUTE) {
            return decimal(micros, SECOND) + " s";
        }
        if (micros < HOUR) {
            return two(micros, MINUTE, " min", SECOND, " s");
        }
        return micros < DAY ? two(micros, HOUR, " h", MINUTE, " min") : two(micros, DAY, " d", HOUR, " h");
    }

    private static String decimal(long micros, long unit) {
        String text = micros / unit + "." + String.valueOf(unit + micros % unit).substring(1);
        return text.replaceFirst("\\.?0*$", "");
    }

    private static String two(long micros, long large, String largeName, long small, String smallName) {
        long rest = micros % large / small;
        return micros / large + largeName + (rest == 0 ? "" : " " + rest + smallName);
    }
}
