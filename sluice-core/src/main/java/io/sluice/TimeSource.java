package io.sluice;

/**
 * Where a store takes the time from. One method must be given, so a test can pass {@code () -> now}; the testkit has a
 * manual one.
 *
 * <p>Implementations must be thread-safe. Time that goes back does no harm: within a key it stands still until the
 * source has caught up.
 */
@FunctionalInterface
public interface TimeSource {
    /** Microseconds since the Unix epoch, on a clock that makes progress steadily even when the wall clock is set. */
    long micros();

    /** Nanoseconds since the Unix epoch, on the clock of {@link #micros()}. */
    default long nanos() {
        return micros() * 1000;
    }

    /**
     * Microseconds since the Unix epoch, on the wall clock. Only windows that are aligned to the epoch ask for it, since
     * users compare them with their watches.
     */
    default long wallMicros() {
        return micros();
    }

    /** Whether {@link #micros()} never goes back, on any thread; buckets are then kept in a single word. */
    default boolean isMonotonic() {
        return false;
    }

    /**
     * Runs a short task once, {@code delayMicros} later by this source, on a thread of its choice.
     *
     * @return what cancels it if it has not run yet
     */
    default Runnable schedule(long delayMicros, Runnable task) {
        return Timer.schedule(delayMicros, task);
    }

    /** The system's clocks. */
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }
}
