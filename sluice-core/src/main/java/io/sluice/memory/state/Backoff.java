package io.sluice.memory.state;

import java.util.concurrent.locks.LockSupport;

/*
 * When two cores want one cache line, an immediate retry makes both slow: the line moves between them at every attempt.
 * So the loser waits for about as long as some dozens of decisions take. The winner makes those at full speed, and on
 * average both finish sooner.
 */
/** The wait of a thread that lost a race for a key. */
public final class Backoff {
    private static final int SPINS = 64;
    private static final int MAX_DOUBLINGS = 2;
    private static final int YIELD_FROM = 10;
    private static final int PARK_FROM = 100;

    private Backoff() {}

    /** Waits, longer with every attempt. After many attempts it leaves the core: the winner may have been descheduled. */
    @SuppressWarnings("ThreadPriorityCheck") // a hint only: nothing depends on the scheduler taking it
    public static void pause(int attempt) {
        if (attempt < YIELD_FROM) {
            int spins = SPINS << Math.min(attempt, MAX_DOUBLINGS);
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
