package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneOffsetTransitionRule;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/*
 * Local time goes on evenly, except where clocks change. So a time is the first of a local day if the local date before it is
 * earlier, and was earlier just before each moment of the last days at which clocks were set back.
 */
/** Windows of the calendar in all zones of the JDK, from 1970 to 2040: they follow each other, and begin where they must. */
class CalendarZonesTest {
    private static final long FROM = Instant.parse("1970-01-01T00:00:00Z").getEpochSecond();
    private static final long TO = Instant.parse("2040-01-01T00:00:00Z").getEpochSecond();
    private static final long DAY = 86_400;

    /** One zone for each set of rules: the others are other names of the same. */
    private static Collection<ZoneId> zones() {
        Map<ZoneRules, ZoneId> byRules = new LinkedHashMap<>();
        new TreeSet<>(ZoneId.getAvailableZoneIds()).forEach(name -> {
            ZoneId zone = ZoneId.of(name);
            byRules.putIfAbsent(zone.getRules(), zone);
        });
        return byRules.values();
    }

    private static CalendarWindow limit(CalendarPeriod calendar, ZoneId zone) {
        return Limit.calendarWindow(1, calendar, zone);
    }

    /** All irregular changes, and two years of those that follow a rule. */
    private static List<Long> changes(ZoneId zone) {
        ZoneRules rules = zone.getRules();
        List<Long> changes = new ArrayList<>();
        rules.getTransitions().forEach(change -> changes.add(change.toEpochSecond()));
        for (ZoneOffsetTransitionRule rule : rules.getTransitionRules()) {
            changes.add(rule.createTransition(2038).toEpochSecond());
            changes.add(rule.createTransition(2039).toEpochSecond());
        }
        changes.removeIf(change -> change < FROM);
        return changes;
    }

    @Test
    void windows_aroundEveryClockChange_followEachOther() {
        int changes = 0;
        for (ZoneId zone : zones()) {
            for (long change : changes(zone)) {
                walk(limit(CalendarPeriod.DAY, zone), change - DAY, change + DAY);
                walk(limit(CalendarPeriod.WEEK, zone), change, change + DAY);
                changes++;
            }
        }
        assertThat(changes).isGreaterThan(10_000);
    }

    @Test
    void monthsAndYears_fromTheEpochTo2040_followEachOther() {
        for (ZoneId zone : zones()) {
            CalendarWindow months = limit(CalendarPeriod.MONTH, zone);
            LocalDate first = date(months, FROM);
            LocalDate last = date(months, TO - 1);
            int years = last.getYear() - first.getYear();
            assertThat(walk(months, FROM, TO))
                    .as(zone.getId())
                    .isEqualTo(12 * years + last.getMonthValue() - first.getMonthValue() + 1);
            assertThat(walk(limit(CalendarPeriod.YEAR, zone), FROM, TO))
                    .as(zone.getId())
                    .isEqualTo(years + 1);
        }
    }

    @ParameterizedTest
    @CsvSource({"UTC, 0", "America/Sao_Paulo, 0", "America/St_Johns, 0", "Antarctica/Casey, 0", "Pacific/Apia, 1"})
    void days_fromTheEpochTo2040_followEachOther(String zone, int skipped) {
        CalendarWindow days = limit(CalendarPeriod.DAY, ZoneId.of(zone));
        assertThat(walk(days, FROM, TO))
                .isEqualTo(date(days, TO - 1).toEpochDay() - date(days, FROM).toEpochDay() + 1 - skipped);
    }

    /** Checks all windows between two times, in seconds. Returns how many there are. */
    private static int walk(CalendarWindow limit, long from, long to) {
        int windows = 0;
        for (long at = from * 1_000_000; at < to * 1_000_000; windows++) {
            TimeSpan window = limit.windowAt(at);
            // Not each with an assertion of its own, which takes longer than the check.
            boolean follows = windows == 0 || window.begin() == at;
            if (!follows || !window.contains(at) || !isItself(limit, window) || !beginsInTime(limit, window)) {
                assertThat(window).as(limit + ", " + text(window)).isNull();
            }
            at = window.end();
        }
        return windows;
    }

    private static boolean isItself(CalendarWindow limit, TimeSpan window) {
        return limit.windowAt(window.begin()).equals(window)
                && limit.windowAt(window.end() - 1).equals(window);
    }

    private static boolean beginsInTime(CalendarWindow limit, TimeSpan window) {
        long begin = window.begin() / 1_000_000;
        ZoneRules rules = limit.zone().getRules();
        LocalDate first = limit.calendar().firstDay(date(limit, begin));
        if (!date(limit, begin - 1).isBefore(first)) {
            return false;
        }
        ZoneOffsetTransition change = rules.nextTransition(Instant.ofEpochSecond(begin - 3 * DAY));
        for (; change != null && change.toEpochSecond() < begin; change = rules.nextTransition(change.getInstant())) {
            if (change.isOverlap() && !date(limit, change.toEpochSecond() - 1).isBefore(first)) {
                return false;
            }
        }
        return true;
    }

    private static LocalDate date(CalendarWindow limit, long second) {
        return LocalDate.ofInstant(Instant.ofEpochSecond(second), limit.zone());
    }

    private static String text(TimeSpan window) {
        return Instant.ofEpochSecond(window.begin() / 1_000_000) + " to "
                + Instant.ofEpochSecond(window.end() / 1_000_000);
    }
}
