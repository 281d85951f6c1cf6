package io.sluice.benchmarks.common;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;

/** Logs progress to standard error, with the time since the start. */
public final class ProgressLog {
    private final long start = System.nanoTime();

    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    public void log(String message) {
        System.err.println(String.format(Locale.ROOT, "[%3d s] %s", elapsed().toSeconds(), message));
    }

    /** Warns if other programs use the machine, because they distort the results. */
    public void warnIfBusy() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (load > 1) {
            log(String.format(
                    Locale.ROOT,
                    "the machine is busy (load %.1f): the results will be wrong, most of all with many threads",
                    load));
        }
    }
}
