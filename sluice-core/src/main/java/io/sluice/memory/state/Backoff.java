package io.sluice.memory.state;

import java.util.concurrent.locks.LockSupport;

/*
 * When two cores want one cache line, retrying at once makes both slow: the line travels for every attempt. Who lost
 * steps back for about as long as some dozens of decisions take; the winner goes through those at full speed, and on
 * average both finish sooner.
 */
/** How long to step back after losing a race for a cell. */
public final class Backoff {
    private static final int SPINS = 64;
    private static final int MOST_DOUBLINGS = 2;
    private static final int YIELD_FROM = 10;
    private static final int PARK_FROM = 100;

    private Backoff() {}

    /** Waits a moment; longer with every attempt, and off the core when the winner may have been descheduled. */
    @SuppressWarnings("ThreadPriorityCheck") // a hint only: nothing depends on the scheduler taking it
    public static void pause(int attempt) {
        if (attempt < YIELD_FROM) {
            int spins = SPINS << Math.min(attempt, MOST_DOUBLINGS);
            for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
            }
        } else if (attempt < PARK_FROM) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(50_000);
        }
    }
}
