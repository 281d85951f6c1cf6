package io.sluice.policy.metrics;

import io.micrometer.core.instrument.Timer;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The same timer in every registry that asked for it: mostly one or none. Thread-safe. */
final class MultiRegistryTimer {
    private final CopyOnWriteArrayList<Timer> timers = new CopyOnWriteArrayList<>();

    /** Adds one that is not there yet. Timers of two registries are equal, so only the same one is. */
    void add(Timer timer) {
        if (timers.stream().noneMatch(known -> known == timer)) {
            timers.add(timer);
        }
    }

    void clear() {
        timers.clear();
    }

    boolean isEmpty() {
        return timers.isEmpty();
    }

    void record(long nanos) {
        for (Timer timer : timers) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }
}
