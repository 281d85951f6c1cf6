package io.sluice.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what must happen within a time. */
final class Eventually {
    private Eventually() {}

    static void within(Duration time, String what, BooleanSupplier condition) {
        within(time, () -> what, condition);
    }

    static void within(Duration time, Supplier<String> what, BooleanSupplier condition) {
        long end = System.nanoTime() + time.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(what.get() + ": not within " + time);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
