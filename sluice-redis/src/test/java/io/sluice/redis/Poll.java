package io.sluice.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what happens elsewhere. */
final class Poll {
    private static final long PAUSE_NANOS = 2_000_000;

    private Poll() {}

    /** Returns as soon as the condition holds, and fails if it does not hold in time. */
    static void until(Duration within, Supplier<String> what, BooleanSupplier condition) {
        long end = System.nanoTime() + within.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + within.toMillis() + " ms: " + what.get());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
