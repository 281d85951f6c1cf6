package io.sluice.testkit;

import io.sluice.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Time that stands still until a test moves it.
 *
 * <pre>{@code
 * ManualTime time = new ManualTime();
 * ...
 * time.advance(Duration.ofSeconds(1));
 * }</pre>
 *
 * <p>{@linkplain #schedule Scheduled} tasks run on the thread that moves the time. Each task runs while the time stands
 * exactly at its due time. Tasks run in the order of their due times; tasks with the same due time run in the order in
 * which they were scheduled. A task may schedule more tasks, which also run if they are due. A task may also move the time
 * itself. If a task throws, the exception leaves the call that moves the time, and the time stays at the due time of that
 * task.
 *
 * <p>Thread-safe. While tasks run, other threads can read the time, schedule and cancel. Only one thread at a time
 * moves the time; the others wait.
 */
public final class ManualTime implements TimeSource {
    /** The default start: 2026-01-01T00:00:00Z. */
    public static final long START_MICROS = 1_767_225_600_000_000L;

    private final boolean forwardOnly;
    private final TaskQueue queue = new TaskQueue();
    private final ReentrantLock turn = new ReentrantLock();
    private volatile long now;

    /** Creates a time that stands at {@link #START_MICROS} and may be set back. */
    public ManualTime() {
        this(START_MICROS, false);
    }

    private ManualTime(long micros, boolean forwardOnly) {
        this.now = micros;
        this.forwardOnly = forwardOnly;
    }

    /** Creates a time that stands at {@code micros} and may be set back. */
    public static ManualTime at(long micros) {
        return new ManualTime(micros, false);
    }

    /** Creates a time that stands at {@code micros} and {@linkplain #isMonotonic() never goes back}. */
    public static ManualTime forwardOnly(long micros) {
        return new ManualTime(micros, true);
    }

    @Override
    public long micros() {
        return now;
    }

    @Override
    public boolean isMonotonic() {
        return forwardOnly;
    }

    /**
     * Moves the time forward.
     *
     * @throws IllegalArgumentException if the duration is negative or not a whole number of microseconds
     */
    public void advance(Duration duration) {
        long micros = TimeUnit.MICROSECONDS.convert(duration);
        if (!duration.equals(Duration.of(micros, ChronoUnit.MICROS))) {
            throw new IllegalArgumentException("duration: " + duration + " (expected: whole microseconds)");
        }
        advanceMicros(micros);
    }

    /**
     * Moves the time forward. A move by 0 runs the tasks that are due now.
     *
     * @throws IllegalArgumentException if {@code micros} is negative
     */
    public void advanceMicros(long micros) {
        if (micros < 0) {
            throw new IllegalArgumentException("micros: " + micros + " (expected: >= 0; set may go back)");
        }
        turn.lock();
        try {
            forwardTo(Math.addExact(now, micros));
        } finally {
            turn.unlock();
        }
    }

    /**
     * Moves the time forward or back. A move back runs nothing, and scheduled tasks keep their due times.
     *
     * @throws IllegalArgumentException if this moves back a time that is {@linkplain #forwardOnly forward only}
     */
    public void set(long micros) {
        turn.lock();
        try {
            if (micros >= now) {
                forwardTo(micros);
            } else if (forwardOnly) {
                throw new IllegalArgumentException(
                        "micros: " + micros + " (expected: at least " + now + ", forward only)");
            } else {
                now = micros;
            }
        } finally {
            turn.unlock();
        }
    }

    private void forwardTo(long micros) {
        queue.runUntil(micros, due -> now = Math.max(now, due));
        now = Math.max(now, micros);
        // Another thread may have scheduled a task while its due time still lay ahead.
        queue.runUntil(micros, due -> {});
    }

    /** Keeps the task until the time reaches its due time. A delay of 0 or less means the next move, even by 0. */
    @Override
    public Runnable schedule(long delayMicros, Runnable task) {
        return queue.add(now, delayMicros, task);
    }

    /** The number of tasks that have not run yet. */
    public int scheduled() {
        return queue.size();
    }

    /**
     * Blocks until at least {@code tasks} tasks are scheduled, so that a test knows that its threads wait.
     *
     * @throws AssertionError if fewer tasks are scheduled after 10 seconds of real time
     */
    public void awaitScheduled(int tasks) throws InterruptedException {
        queue.awaitSize(tasks);
    }

    @Override
    public String toString() {
        return "ManualTime[micros=" + now + ", scheduled=" + scheduled() + "]";
    }
}
