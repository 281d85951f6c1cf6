package io.sluice;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/** The period of the calendar that a {@link CalendarWindow} lasts. {@link #toString()} is its name in the text of a limit. */
public enum CalendarPeriod {
    /** A local day. */
    DAY(Duration.ofHours(25)) {
        @Override
        LocalDate firstDay(LocalDate day) {
            return day;
        }

        @Override
        LocalDate next(LocalDate first) {
            return first.plusDays(1);
        }
    },
    /** An ISO week: it begins on Monday. */
    WEEK(Duration.ofDays(7).plusHours(1)) {
        @Override
        LocalDate firstDay(LocalDate day) {
            return day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        }

        @Override
        LocalDate next(LocalDate first) {
            return first.plusWeeks(1);
        }
    },
    /** A month. */
    MONTH(Duration.ofDays(31).plusHours(1)) {
        @Override
        LocalDate firstDay(LocalDate day) {
            return day.withDayOfMonth(1);
        }

        @Override
        LocalDate next(LocalDate first) {
            return first.plusMonths(1);
        }
    },
    /** A year. */
    YEAR(Duration.ofDays(366)) {
        @Override
        LocalDate firstDay(LocalDate day) {
            return day.withDayOfYear(1);
        }

        @Override
        LocalDate next(LocalDate first) {
            return first.plusYears(1);
        }
    };

    /** The longest time between two of its first midnights, where clocks change by an hour at most. */
    final Duration longest;

    CalendarPeriod(Duration longest) {
        this.longest = longest;
    }

    /** The first day of the period that has this day. */
    abstract LocalDate firstDay(LocalDate day);

    /** The first day of the next period. */
    abstract LocalDate next(LocalDate first);

    /** The name in the text of a limit, such as {@code month}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
