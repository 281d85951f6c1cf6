package io.sluice.redis.limits;

import io.sluice.TimeSpan;
import org.jspecify.annotations.Nullable;

/** Encoded limits with windows of the calendar, which many calls can use. */
final class CalendarEncoding {
    final byte[] bytes;

    /** When it is right: as long as no other window begins. Null if it is for one call only. */
    private final @Nullable TimeSpan span;

    CalendarEncoding(byte[] bytes, @Nullable TimeSpan span) {
        this.bytes = bytes;
        this.span = span;
    }

    boolean isFor(CalendarTimes times) {
        return span != null && times.isOneTime() && span.contains(times.first());
    }
}
