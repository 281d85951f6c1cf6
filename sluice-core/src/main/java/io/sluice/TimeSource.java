package io.sluice;

/**
 * The clocks of a store. Only {@link #micros()} must be implemented, so a test can pass {@code () -> now}. The testkit has a
 * manual implementation.
 *
 * <p>Implementations must be thread-safe. A clock that goes back does no harm: the time of a key stands still until the clock
 * has caught up.
 */
@FunctionalInterface
public interface TimeSource {
    /** Microseconds since the Unix epoch on the steady clock, which advances evenly even if the wall clock is set. */
    long micros();

    /** Nanoseconds since the Unix epoch on the steady clock. */
    default long nanos() {
        return micros() * 1000;
    }

    /**
     * Microseconds since the Unix epoch on the wall clock. Only windows that are aligned to the epoch use it, because users
     * compare them with the time of day.
     */
    default long wallMicros() {
        return micros();
    }

    /** Whether {@link #micros()} never goes back, on any thread. Then a token bucket is stored in a single word. */
    default boolean isMonotonic() {
        return false;
    }

    /**
     * Runs a short task once, after a delay on this clock, on a thread of its choice.
     *
     * @return cancels the task if it has not run yet
     */
    default Runnable schedule(long delayMicros, Runnable task) {
        return Timer.schedule(delayMicros, task);
    }

    /** The system's clocks. */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }
}
