package io.sluice.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for other threads, in real time. */
final class Eventually {
    /** Far more than the promised time, for busy machines. */
    private static final Duration LONG = Duration.ofSeconds(60);

    private Eventually() {}

    static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LONG.toNanos()) {
                throw new AssertionError(what + ": not within " + LONG);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
