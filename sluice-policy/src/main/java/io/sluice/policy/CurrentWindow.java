package io.sluice.policy;

import io.sluice.CalendarWindow;
import io.sluice.Limit;
import io.sluice.Lockout;
import io.sluice.TimeSpan;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * The window that a limit of the calendar counts in now, in the local time of its zone.
 *
 * @param begin its first moment
 * @param end the first moment after it
 */
public record CurrentWindow(OffsetDateTime begin, OffsetDateTime end) {
    /** The window of a limit at a time, in microseconds since the Unix epoch. Null if the limit does not follow the calendar. */
    public static @Nullable CurrentWindow of(Limit limit, long micros) {
        Limit rule = limit instanceof Lockout lockout ? lockout.limit() : limit;
        if (!(rule instanceof CalendarWindow calendar)) {
            return null;
        }
        TimeSpan span = calendar.windowAt(micros);
        return new CurrentWindow(local(span.begin(), calendar.zone()), local(span.end(), calendar.zone()));
    }

    private static OffsetDateTime local(long micros, ZoneId zone) {
        return OffsetDateTime.ofInstant(Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000)), zone);
    }

    /** {@link #begin} as in {@code 2026-11-01T00:00:00+08:00}. */
    public String beginText() {
        return begin.format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
    }

    /** {@link #end} as in {@code 2026-12-01T00:00:00+08:00}. */
    public String endText() {
        return end.format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
    }
}
