package io.sluice.redis;

import io.sluice.TimeSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Runs things later: by the system's clocks, or at a moment of virtual time. */
final class Sleep {
    private final @Nullable TimeSource virtual;

    Sleep(@Nullable TimeSource virtual) {
        this.virtual = virtual;
    }

    long micros() {
        return virtual == null ? TimeSource.system().micros() : virtual.micros();
    }

    /** From when a wait counts that was asked for then: from now, unless time is virtual and has been moved since. */
    long since(long askedMicros) {
        return virtual == null ? micros() : askedMicros;
    }

    /**
     * Runs a task once, so long after now, or after {@code askedMicros} if time is virtual: that may have been moved while
     * the answer was on its way.
     */
    Runnable schedule(long askedMicros, long delayMicros, Runnable task) {
        if (virtual == null) {
            return TimeSource.system().schedule(delayMicros, task);
        }
        long due = askedMicros + delayMicros;
        AtomicBoolean ran = new AtomicBoolean();
        Runnable once = () -> {
            if (ran.compareAndSet(false, true)) {
                task.run();
            }
        };
        while (true) {
            long now = virtual.micros();
            if (now >= due) {
                once.run();
                return () -> {};
            }
            Runnable cancel = virtual.schedule(due - now, once);
            if (virtual.micros() == now) {
                return cancel;
            }
            cancel.run();
        }
    }
}
