package io.sluice.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what must happen within a time. */
final class Eventually {
    private Eventually() {}

    static void within(Duration time, String what, BooleanSupplier condition) {
        long end = System.nanoTime() + time.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(what + ": not within " + time);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
