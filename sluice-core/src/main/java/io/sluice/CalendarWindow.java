package io.sluice;

import io.sluice.exact.Exact;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Objects;

/**
 * A fixed window of the calendar: {@code permits} in each local day, week, month or year. The choice for quotas of a contract,
 * such as 10,000 requests a month.
 *
 * <p>A window begins with the first instant of its first local day. If a clock change skips that midnight, it begins with the
 * first instant after the gap. If that midnight comes twice, it begins with the first.
 *
 * @param permits the permits of a window
 * @param calendar what a window is
 * @param zone the zone of the IANA database whose calendar counts
 */
public record CalendarWindow(long permits, CalendarPeriod calendar, ZoneId zone) implements Limit {
    public CalendarWindow {
        Exact.requireCount("permits", permits);
        Objects.requireNonNull(calendar, "calendar");
        zone = Zones.normalized(Objects.requireNonNull(zone, "zone"));
    }

    /** This limit in the calendar of another zone. */
    public CalendarWindow zone(ZoneId zone) {
        return new CalendarWindow(permits, calendar, zone);
    }

    /** This limit with another number of permits. */
    public CalendarWindow permits(long permits) {
        return new CalendarWindow(permits, calendar, zone);
    }

    /** The window that a time belongs to: the latest that has begun, by the time zone rules that this JDK knows. */
    public TimeSpan windowAt(long micros) {
        LocalDate first =
                calendar.firstDay(LocalDate.ofInstant(Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000)), zone));
        long begin = begin(first);
        LocalDate next = calendar.next(first);
        // When clocks are set back at midnight, a new day has begun, and then the local date is once more the one
        // before.
        for (long end = begin(next); ; end = begin(next)) {
            if (micros < end) {
                return new TimeSpan(begin, end);
            }
            begin = end;
            next = calendar.next(next);
        }
    }

    private long begin(LocalDate day) {
        return day.atStartOfDay(zone).toEpochSecond() * 1_000_000;
    }

    @Override
    public Algorithm algorithm() {
        return Algorithm.FIXED_WINDOW;
    }

    @Override
    public long capacity() {
        return permits;
    }

    /** The length of the longest window, where clocks change by an hour at most. {@link #windowAt} tells the length of each. */
    @Override
    public Duration refillTime() {
        return calendar.longest;
    }

    @Override
    public String toString() {
        return algorithm() + " " + permits + " per " + calendar + (zone.equals(Zones.UTC) ? "" : " zone " + zone);
    }
}
