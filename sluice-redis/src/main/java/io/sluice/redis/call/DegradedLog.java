package io.sluice.redis.call;

import io.sluice.TimeSource;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.ReentrantLock;

/*
 * There is at most one line per second. A change within that second is logged at its end, with the state at that time. So the
 * last line is wrong for at most a second, and no outage is missing in the log.
 */
/** Logs when limiters begin to answer without Redis, the reason, and when Redis decides again. */
final class DegradedLog {
    private static final System.Logger LOG = System.getLogger("io.sluice.redis");
    private static final long INTERVAL_MICROS = 1_000_000;

    private final TimeSource time;
    private final Events events;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile boolean degraded;
    private String reason = "";

    /** The number of changes since the latest line. */
    private int changes;

    private long quietUntil;
    private boolean isDue;

    DegradedLog(TimeSource time, Events events) {
        this.time = time;
        this.events = events;
        this.quietUntil = time.micros();
    }

    boolean isDegraded() {
        return degraded;
    }

    void began(String why) {
        change(true, why);
    }

    void ended() {
        change(false, "");
    }

    private void change(boolean begins, String why) {
        lock.lock();
        try {
            if (degraded == begins) {
                return;
            }
            degraded = begins;
            changes++;
            if (begins) {
                reason = why;
                events.degradedBegan(why);
            } else {
                events.degradedEnded();
            }
            say();
        } finally {
            lock.unlock();
        }
    }

    private void say() {
        long rest = quietUntil - time.micros();
        if (rest <= 0) {
            line();
        } else if (!isDue) {
            isDue = true;
            time.schedule(rest, this::due);
        }
    }

    private void due() {
        lock.lock();
        try {
            isDue = false;
            if (changes > 0) {
                line();
            }
        } finally {
            lock.unlock();
        }
    }

    private void line() {
        String often = changes > 1 ? " (" + changes + " changes within a second)" : "";
        if (degraded) {
            LOG.log(Level.WARNING, "degraded, limiters answer without Redis: {0}{1}", reason, often);
        } else {
            LOG.log(Level.INFO, "no longer degraded, Redis decides again; the reason was: {0}{1}", reason, often);
        }
        changes = 0;
        quietUntil = time.micros() + INTERVAL_MICROS;
    }
}
