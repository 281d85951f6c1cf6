package io.sluice.micrometer;

import io.micrometer.core.instrument.Timer;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** One timer for all bound registries, usually one or none. Thread-safe. */
final class MultiRegistryTimer {
    private final CopyOnWriteArrayList<Timer> timers = new CopyOnWriteArrayList<>();

    /** Adds a timer once. Compares by identity, because timers of two registries are equal. */
    void add(Timer timer) {
        if (timers.stream().noneMatch(known -> known == timer)) {
            timers.add(timer);
        }
    }

    void clear() {
        timers.clear();
    }

    void record(long nanos) {
        for (Timer timer : timers) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }
}
