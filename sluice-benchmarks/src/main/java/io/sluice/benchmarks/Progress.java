package io.sluice.benchmarks;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;

/** Says on standard error what is going on, and since when. */
public final class Progress {
    private final long start = System.nanoTime();

    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    public void say(String what) {
        System.err.println(String.format(Locale.ROOT, "[%3d s] %s", elapsed().toSeconds(), what));
    }

    /** Others on the machine spoil what is measured. */
    public void sayIfBusy() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (load > 1) {
            say(String.format(
                    Locale.ROOT,
                    "the machine is busy (load %.1f): figures will be off, those of many threads most",
                    load));
        }
    }
}
