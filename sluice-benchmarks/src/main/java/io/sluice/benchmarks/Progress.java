package io.sluice.benchmarks;

import java.time.Duration;
import java.util.Locale;

/** Says on standard error what is going on, and since when. */
final class Progress {
    private final long start = System.nanoTime();

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    void say(String what) {
        System.err.println(String.format(Locale.ROOT, "[%3d s] %s", elapsed().toSeconds(), what));
    }
}
