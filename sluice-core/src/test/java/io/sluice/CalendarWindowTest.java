package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows of the calendar at named dates. Begin and end were computed by hand, from the offsets in force. */
class CalendarWindowTest {
    private static CalendarWindow limit(String calendar, String zone) {
        return (CalendarWindow) Limit.parse("fixed-window 5 per " + calendar + " zone " + zone);
    }

    private static long micros(String instant) {
        return Instant.parse(instant).getEpochSecond() * 1_000_000;
    }

    /** Checks the window at its first and at its last microsecond, and its neighbours. */
    private static void assertWindow(CalendarWindow limit, String begin, String end) {
        TimeSpan expected = new TimeSpan(micros(begin), micros(end));
        assertThat(limit.windowAt(expected.begin())).isEqualTo(expected);
        assertThat(limit.windowAt(expected.begin() + expected.length() / 2)).isEqualTo(expected);
        assertThat(limit.windowAt(expected.end() - 1)).isEqualTo(expected);
        assertThat(limit.windowAt(expected.end()).begin()).isEqualTo(expected.end());
        assertThat(limit.windowAt(expected.begin() - 1).end()).isEqualTo(expected.begin());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        # No change of clocks.
        day   | UTC                 | 2026-03-10T00:00:00Z | 2026-03-11T00:00:00Z
        day   | Asia/Shanghai       | 2026-03-09T16:00:00Z | 2026-03-10T16:00:00Z
        day   | Asia/Kolkata        | 2026-03-09T18:30:00Z | 2026-03-10T18:30:00Z
        day   | Asia/Kathmandu      | 2026-03-09T18:15:00Z | 2026-03-10T18:15:00Z
        month | Asia/Kolkata        | 2026-02-28T18:30:00Z | 2026-03-31T18:30:00Z
        year  | Asia/Kolkata        | 2025-12-31T18:30:00Z | 2026-12-31T18:30:00Z
        # Clocks change in the night, or by half an hour.
        day   | Europe/Berlin       | 2026-03-28T23:00:00Z | 2026-03-29T22:00:00Z
        day   | Europe/Berlin       | 2026-10-24T22:00:00Z | 2026-10-25T23:00:00Z
        month | Europe/Berlin       | 2026-02-28T23:00:00Z | 2026-03-31T22:00:00Z
        day   | Australia/Lord_Howe | 2026-04-04T13:00:00Z | 2026-04-05T13:30:00Z
        day   | Australia/Lord_Howe | 2026-10-03T13:30:00Z | 2026-10-04T13:00:00Z
        # A midnight that is skipped: 00:00 became 01:00.
        day   | America/Sao_Paulo   | 2018-11-03T03:00:00Z | 2018-11-04T03:00:00Z
        day   | America/Sao_Paulo   | 2018-11-04T03:00:00Z | 2018-11-05T02:00:00Z
        # A midnight that came twice: 00:01 became 23:01.
        day   | America/St_Johns    | 2010-11-06T02:30:00Z | 2010-11-07T02:30:00Z
        day   | America/St_Johns    | 2010-11-07T02:30:00Z | 2010-11-08T03:30:00Z
        # A midnight that came twice, and two more hours: 02:00 became 23:00.
        day   | Antarctica/Casey    | 2010-03-03T13:00:00Z | 2010-03-04T13:00:00Z
        day   | Antarctica/Casey    | 2010-03-04T13:00:00Z | 2010-03-05T16:00:00Z
        # A day that never was: the 29th was followed by the 31st.
        day   | Pacific/Apia        | 2011-12-29T10:00:00Z | 2011-12-30T10:00:00Z
        day   | Pacific/Apia        | 2011-12-30T10:00:00Z | 2011-12-31T10:00:00Z
        week  | Pacific/Apia        | 2011-12-26T10:00:00Z | 2012-01-01T10:00:00Z
        month | Pacific/Apia        | 2011-12-01T10:00:00Z | 2011-12-31T10:00:00Z
        year  | Pacific/Apia        | 2011-01-01T10:00:00Z | 2011-12-31T10:00:00Z
        # Leap years.
        day   | UTC                 | 2024-02-29T00:00:00Z | 2024-03-01T00:00:00Z
        month | UTC                 | 2023-02-01T00:00:00Z | 2023-03-01T00:00:00Z
        month | UTC                 | 2024-02-01T00:00:00Z | 2024-03-01T00:00:00Z
        month | UTC                 | 2000-02-01T00:00:00Z | 2000-03-01T00:00:00Z
        month | UTC                 | 2100-02-01T00:00:00Z | 2100-03-01T00:00:00Z
        year  | UTC                 | 2024-01-01T00:00:00Z | 2025-01-01T00:00:00Z
        # Weeks begin on Monday, also over a new year and over a leap day.
        week  | UTC                 | 2025-12-29T00:00:00Z | 2026-01-05T00:00:00Z
        week  | UTC                 | 2024-12-30T00:00:00Z | 2025-01-06T00:00:00Z
        week  | UTC                 | 2024-02-26T00:00:00Z | 2024-03-04T00:00:00Z
        week  | America/New_York    | 2026-03-02T05:00:00Z | 2026-03-09T04:00:00Z
        # At and before the epoch.
        day   | UTC                 | 1970-01-01T00:00:00Z | 1970-01-02T00:00:00Z
        week  | UTC                 | 1969-12-29T00:00:00Z | 1970-01-05T00:00:00Z
        year  | America/New_York    | 1969-01-01T05:00:00Z | 1970-01-01T05:00:00Z
        """)
    void windowAt_namedDate_isTheWindowOfTheZone(String calendar, String zone, String begin, String end) {
        assertWindow(limit(calendar, zone), begin, end);
    }

    @Test
    void windowAt_afterClocksWereSetBackOverMidnight_staysInTheDayThatHasBegun() {
        // Local time is 23:30 of the 6th, for the second time. The 7th began half an hour ago.
        assertThat(limit("day", "America/St_Johns").windowAt(micros("2010-11-07T03:00:00Z")))
                .isEqualTo(new TimeSpan(micros("2010-11-07T02:30:00Z"), micros("2010-11-08T03:30:00Z")));
        // Local time is 23:30 of the 4th.
        assertThat(limit("day", "Antarctica/Casey").windowAt(micros("2010-03-04T15:30:00Z")))
                .isEqualTo(new TimeSpan(micros("2010-03-04T13:00:00Z"), micros("2010-03-05T16:00:00Z")));
    }

    @Test
    void windowAt_oneMicrosecondBeforeTheEnd_isNotRounded() {
        CalendarWindow day = limit("day", "UTC");
        long midnight = micros("2026-03-11T00:00:00Z");
        assertThat(day.windowAt(midnight - 1).end()).isEqualTo(midnight);
        assertThat(day.windowAt(midnight).begin()).isEqualTo(midnight);
        assertThat(day.windowAt(-1)).isEqualTo(new TimeSpan(micros("1969-12-31T00:00:00Z"), 0));
    }

    @Test
    void zone_ofTheSameName_makesEqualLimits() {
        CalendarWindow utc = Limit.calendarWindow(5, CalendarPeriod.DAY, ZoneOffset.UTC);
        assertThat(utc).isEqualTo(limit("day", "UTC")).hasToString("fixed-window 5 per day");
        assertThat(utc.zone(ZoneId.of("Asia/Kolkata"))).isEqualTo(limit("day", "Asia/Kolkata"));
    }

    @Test
    void zone_thatIsAnOffset_isRefused() {
        assertThatThrownBy(() -> Limit.calendarWindow(5, CalendarPeriod.DAY, ZoneOffset.ofHours(8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("zone: \"+08:00\" (expected: a zone of the IANA database");
    }

    @Test
    void permits_outOfBounds_areRefused() {
        assertThatThrownBy(() -> Limit.calendarWindow(0, CalendarPeriod.DAY, ZoneOffset.UTC))
                .hasMessage("permits: 0 (expected: at least 1)");
        assertThatThrownBy(() -> Limit.calendarWindow((1L << 50) + 1, CalendarPeriod.DAY, ZoneOffset.UTC))
                .hasMessage("permits: 1125899906842625 (expected: at most 1125899906842624)");
    }

    @ParameterizedTest
    @CsvSource({"day, 25", "week, 169", "month, 745", "year, 8784"})
    void refillTime_isThatOfTheLongestWindow(String calendar, int hours) {
        assertThat(limit(calendar, "Europe/Berlin").refillTime()).isEqualTo(Duration.ofHours(hours));
    }
}
