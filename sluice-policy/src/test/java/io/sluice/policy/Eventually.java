package io.sluice.policy;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads and processes do, in real time. */
final class Eventually {
    /** Far more than is promised, for machines that are busy. */
    static final Duration LONG = Duration.ofSeconds(60);

    private Eventually() {}

    /** Returns as soon as it holds, and says how long that took. */
    static Duration await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LONG.toNanos()) {
                throw new AssertionError(what + ": not within " + LONG);
            }
            LockSupport.parkNanos(1_000_000);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
