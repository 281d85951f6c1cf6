package io.sluice.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition that must come true within a time, scaled by the {@linkplain Pace pace} of this machine. */
final class Eventually {
    private Eventually() {}

    static void within(Duration time, String what, BooleanSupplier condition) {
        within(time, () -> what, condition);
    }

    static void within(Duration time, Supplier<String> what, BooleanSupplier condition) {
        if (condition.getAsBoolean()) {
            return;
        }
        long start = System.nanoTime();
        try (Pace pace = new Pace()) {
            while (!condition.getAsBoolean()) {
                Duration passed = Duration.ofNanos(System.nanoTime() - start);
                // Checked once more at the end, because this thread may have been late itself.
                if (passed.compareTo(pace.of(time)) > 0 && !condition.getAsBoolean()) {
                    throw new AssertionError(
                            what.get() + ": not within " + time + ", at the pace of this machine " + pace.of(time));
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
