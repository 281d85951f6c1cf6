package io.sluice.cli.simulate.plot;

import io.sluice.server.simulate.chart.TimeScale;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * The time axis: clock time in UTC if the trace was recorded by a clock, else the time since the first request.
 *
 * @param start the first request, in microseconds since the epoch
 * @param step the distance of ticks
 * @param clock whether to show clock time
 */
record TimeAxis(long start, long span, long step, boolean clock) {
    private static final int MOST_TICKS = 10;

    /** Traces from before 2000 do not come from a clock. */
    private static final long CLOCKS_BEGIN =
            Instant.parse("2000-01-01T00:00:00Z").getEpochSecond() * TimeScale.SECOND;

    /** Later times have years of more than four digits. */
    private static final long CLOCKS_END = Instant.parse("2200-01-01T00:00:00Z").getEpochSecond() * TimeScale.SECOND;

    static TimeAxis of(long start, long span) {
        boolean clock = start >= CLOCKS_BEGIN && start + span < CLOCKS_END;
        return new TimeAxis(start, span, TimeScale.step(span, MOST_TICKS), clock);
    }

    /** The ticks as times since the first request. Those of a clock are at round clock times. */
    List<Long> ticks() {
        long first = clock ? (step - start % step) % step : 0;
        return LongStream.iterate(first, time -> time <= span, time -> time + step)
                .boxed()
                .toList();
    }

    String text(long sinceFirst) {
        return clock ? formatter().format(at(sinceFirst)) : TimeScale.text(sinceFirst);
    }

    private Instant at(long sinceFirst) {
        return Instant.EPOCH.plus(start + sinceFirst, ChronoUnit.MICROS);
    }

    private DateTimeFormatter formatter() {
        String pattern = step >= TimeScale.DAY
                ? "d MMM"
                : step >= TimeScale.MINUTE
                        ? span > TimeScale.DAY ? "d MMM HH:mm" : "HH:mm"
                        : step >= TimeScale.SECOND ? "HH:mm:ss" : step >= TimeScale.MILLI ? "ss.SSS" : "ss.SSSSSS";
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
    }

    String title() {
        if (!clock) {
            return "time since the first request";
        }
        String first = DateTimeFormatter.ofPattern("d MMMM yyyy HH:mm:ss", Locale.ENGLISH)
                .withZone(ZoneOffset.UTC)
                .format(at(0));
        return "time (UTC), from " + first;
    }
}
