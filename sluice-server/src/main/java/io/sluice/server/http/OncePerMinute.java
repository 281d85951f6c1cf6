package io.sluice.server.http;

import io.sluice.TimeSource;
import java.util.concurrent.atomic.AtomicLong;

/** Allows an action at most once a minute. Thread-safe. */
final class OncePerMinute {
    private static final long MINUTE_MICROS = 60_000_000;

    private final TimeSource time;
    private final AtomicLong next = new AtomicLong(Long.MIN_VALUE);

    OncePerMinute(TimeSource time) {
        this.time = time;
    }

    /** Returns true to one caller in each minute. */
    boolean tryAcquire() {
        long now = time.micros();
        long due = next.get();
        return now >= due && next.compareAndSet(due, now + MINUTE_MICROS);
    }
}
