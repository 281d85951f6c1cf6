package io.sluice.testkit.usage;

import io.sluice.CalendarPeriod;
import io.sluice.CalendarWindow;
import io.sluice.Limit;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * The usage of a window of the calendar.
 *
 * @param opened the begin of the current window; without meaning while the count is 0
 * @param ends the end of the current window, which stands from the first use on
 * @param count the permits taken in the window
 */
record CalendarUsage(CalendarWindow limit, long opened, long ends, long count) implements Usage {
    static CalendarUsage fresh(CalendarWindow limit) {
        return new CalendarUsage(limit, 0, 0, 0);
    }

    @Override
    public Fraction at(long micros) {
        return Fraction.of(isOpen(micros) ? count : 0);
    }

    private boolean isOpen(long micros) {
        return count > 0 && micros < ends;
    }

    @Override
    public Usage plus(long permits, long micros) {
        if (isOpen(micros)) {
            return new CalendarUsage(limit, opened, ends, count + permits);
        }
        LocalDate first = latestBegun(micros);
        return new CalendarUsage(limit, begin(first), begin(next(first)), permits);
    }

    /** The first day of the latest window that has begun: searched from the year after, one window back at a time. */
    private LocalDate latestBegun(long micros) {
        LocalDate day = LocalDate.ofInstant(Instant.ofEpochMilli(Math.floorDiv(micros, 1000)), ZoneOffset.UTC);
        LocalDate first = limit.calendar() == CalendarPeriod.YEAR
                ? LocalDate.of(day.getYear() + 1, 1, 1)
                : limit.calendar() == CalendarPeriod.MONTH
                        ? day.plusMonths(1).withDayOfMonth(1)
                        : limit.calendar() == CalendarPeriod.WEEK
                                ? day.plusDays(8 - day.getDayOfWeek().getValue())
                                : day.plusDays(2);
        while (begin(first) > micros) {
            first = switch (limit.calendar()) {
                case DAY -> first.minusDays(1);
                case WEEK -> first.minusDays(7);
                case MONTH -> first.minusMonths(1);
                case YEAR -> first.minusYears(1);
            };
        }
        return first;
    }

    private LocalDate next(LocalDate first) {
        LocalDate next = first;
        boolean begins;
        do {
            next = next.plusDays(1);
            begins = switch (limit.calendar()) {
                case DAY -> true;
                case WEEK -> next.getDayOfWeek() == DayOfWeek.MONDAY;
                case MONTH -> next.getDayOfMonth() == 1;
                case YEAR -> next.getDayOfYear() == 1;
            };
        } while (!begins);
        return next;
    }

    /** The first instant whose local time is that midnight or later, by the offsets around it. */
    private long begin(LocalDate day) {
        ZoneRules rules = limit.zone().getRules();
        LocalDateTime midnight = day.atStartOfDay();
        long utc = midnight.toEpochSecond(ZoneOffset.UTC);
        long earliest = Long.MAX_VALUE;
        // Between two changes of the offset, local time runs evenly. Where does it reach midnight first?
        Instant from = Instant.ofEpochSecond(utc).minusSeconds(2 * 86_400);
        Instant until = Instant.ofEpochSecond(utc).plusSeconds(2 * 86_400);
        while (from.isBefore(until)) {
            var change = rules.nextTransition(from);
            Instant to = change == null || change.getInstant().isAfter(until) ? until : change.getInstant();
            long reached = utc - rules.getOffset(from).getTotalSeconds();
            if (reached < to.getEpochSecond()) {
                earliest = Math.min(earliest, Math.max(reached, from.getEpochSecond()));
            }
            from = to;
        }
        return earliest * 1_000_000;
    }

    @Override
    public Usage minus(Fraction permits, long micros) {
        BigInteger left = at(micros).floor().subtract(permits.floor()).max(BigInteger.ZERO);
        return new CalendarUsage(limit, opened, ends, left.longValueExact());
    }

    @Override
    public BigInteger max() {
        return MOST_IN_WINDOW;
    }

    @Override
    public long span() {
        return Usage.micros(limit.refillTime());
    }

    @Override
    public Fraction left(long permits, long charged, Usage now, long micros) {
        boolean stillCurrent = now instanceof CalendarUsage window && window.isOpen(micros) && window.opened == opened;
        return Fraction.of(stillCurrent ? permits : 0);
    }

    @Override
    public Optional<Usage> convertIfSameKind(Limit next, long micros) {
        return next instanceof CalendarWindow window
                        && window.calendar() == limit.calendar()
                        && window.zone().equals(limit.zone())
                ? Optional.of(new CalendarUsage(window, opened, ends, count))
                : Optional.empty();
    }
}
