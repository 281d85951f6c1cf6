package io.sluice.server.http;

import io.sluice.TimeSource;
import java.util.concurrent.atomic.AtomicLong;

/** Says whether something may be told again: once a minute at most, whoever asks. */
final class OnceAMinute {
    private static final long MINUTE_MICROS = 60_000_000;

    private final TimeSource time;
    private final AtomicLong next = new AtomicLong(Long.MIN_VALUE);

    OnceAMinute(TimeSource time) {
        this.time = time;
    }

    /** True for one of all who ask within a minute. */
    boolean now() {
        long now = time.micros();
        long due = next.get();
        return now >= due && next.compareAndSet(due, now + MINUTE_MICROS);
    }
}
