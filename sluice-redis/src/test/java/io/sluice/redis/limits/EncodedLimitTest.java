package io.sluice.redis.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.CalendarPeriod;
import io.sluice.CalendarWindow;
import io.sluice.Limit;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EncodedLimitTest {
    private static final VersionedLimits MONTHLY = VersionedLimits.ofCall(Limit.parse("fixed-window 10 per month"));
    private static final long JANUARY = micros("2026-01-31T23:59:59Z");

    @Test
    void idOf_everyCalendarAndZone_isDifferent() {
        Map<Long, CalendarWindow> known = new HashMap<>();
        for (CalendarPeriod period : CalendarPeriod.values()) {
            for (String zone : ZoneId.getAvailableZoneIds()) {
                CalendarWindow window = Limit.calendarWindow(7, period, ZoneId.of(zone));
                assertThat(known.put(EncodedLimit.idOf(window), window)).isNull();
                assertThat(EncodedLimit.idOf(window)).isEqualTo(EncodedLimit.idOf(window.permits(8)));
            }
        }
    }

    @Test
    void windows_ofATime_areThatOfTheTimeAndTheNext() {
        CalendarWindow window = (CalendarWindow) Limit.parse("fixed-window 10 per month");
        assertThat(at(JANUARY).windowsOf(window))
                .isEqualTo(List.of(window.windowAt(JANUARY), window.windowAt(JANUARY + 1_000_000)));
        assertThat(CalendarTimes.NONE.windowsOf(window)).isEmpty();
    }

    @Test
    void encoded_untilAnotherWindowBegins_isTheSame() {
        byte[] january = MONTHLY.encoded(false, at(JANUARY));
        assertThat(MONTHLY.encoded(false, at(JANUARY + 999_999))).isSameAs(january);
        assertThat(MONTHLY.encoded(false, at(JANUARY + 1_000_000))).isNotEqualTo(january);
    }

    @Test
    void encoded_withoutCalendar_isTheSameAtAllTimes() {
        VersionedLimits bucket = VersionedLimits.ofCall(Limit.parse("10/s"));
        assertThat(bucket.encoded(false, at(JANUARY))).isSameAs(bucket.encoded(false, CalendarTimes.NONE));
    }

    private static CalendarTimes at(long micros) {
        return CalendarTimes.of(Set.of(micros));
    }

    private static long micros(String instant) {
        return Instant.parse(instant).getEpochSecond() * 1_000_000;
    }
}
