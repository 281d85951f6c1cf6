package io.sluice.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits in real time for a condition that other threads or processes make true. For everything that depends on time alone,
 * use {@link ManualTime}.
 *
 * <pre>{@code
 * Eventually.await("the new policy is in force", () -> engine.version() == 2);
 * Eventually.within(Duration.ofSeconds(1), "Redis is available", store::isAvailable);
 * }</pre>
 */
public final class Eventually {
    /** Much longer than any condition needs, even on a busy machine. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private static final long FIRST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 10_000_000;

    private Eventually() {}

    /**
     * Waits up to a minute for a condition.
     *
     * @param description the condition in words, for the error message
     * @return how long the condition took
     * @throws AssertionError if the condition does not hold within a minute
     */
    public static Duration await(String description, BooleanSupplier condition) {
        long start = System.nanoTime();
        long pause = FIRST_PAUSE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LONGEST_WAIT.toNanos()) {
                throw new AssertionError(description + ": not within " + LONGEST_WAIT);
            }
            LockSupport.parkNanos(pause);
            pause = Math.min(LONGEST_PAUSE_NANOS, pause + pause / 4);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /**
     * Waits for a condition that must hold within a time limit. A busy machine gets more time, see {@link MachineSpeed}.
     *
     * @param limit the time limit on an idle machine
     * @param description the condition in words, for the error message
     * @throws AssertionError if the condition does not hold within the limit
     */
    public static void within(Duration limit, String description, BooleanSupplier condition) {
        within(limit, () -> description, condition);
    }

    /** {@link #within(Duration, String, BooleanSupplier)} with a description that is made only for the error message. */
    public static void within(Duration limit, Supplier<String> description, BooleanSupplier condition) {
        if (condition.getAsBoolean()) {
            return;
        }
        long start = System.nanoTime();
        try (MachineSpeed speed = new MachineSpeed()) {
            while (!condition.getAsBoolean()) {
                Duration passed = Duration.ofNanos(System.nanoTime() - start);
                // This thread may itself be late, so the condition is checked once more after the time limit.
                if (passed.compareTo(speed.scale(limit)) > 0 && !condition.getAsBoolean()) {
                    throw new AssertionError(description.get() + ": not within " + limit
                            + ", scaled to this machine's speed: " + speed.scale(limit));
                }
                LockSupport.parkNanos(FIRST_PAUSE_NANOS);
            }
        }
    }
}
