package io.sluice.redis;

import io.sluice.TimeSource;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Runs tasks later, by the system clock or by virtual time. */
final class Sleep {
    private final @Nullable TimeSource virtual;

    Sleep(@Nullable TimeSource virtual) {
        this.virtual = virtual;
    }

    long micros() {
        return virtual == null ? TimeSource.system().micros() : virtual.micros();
    }

    /** The start of a wait: now, or with virtual time the time of the request, because virtual time may have moved since. */
    long since(long askedMicros) {
        return virtual == null ? micros() : askedMicros;
    }

    /**
     * Runs a task once after a delay, which starts now. With virtual time, the delay starts at {@code askedMicros}, because
     * virtual time may have moved while the answer was on its way.
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
