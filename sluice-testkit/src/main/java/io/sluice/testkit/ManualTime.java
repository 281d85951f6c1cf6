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
 * <p>What was {@linkplain #schedule scheduled} runs on the thread that moves the time: each task while the time stands
 * exactly at the moment for which it was scheduled, in the order of these moments, and in the order of scheduling where
 * they are the same. A task may schedule more, which run too if their moment is passed. A task may also move the time
 * itself. What a task throws comes out of the move, which then ends at that task's moment.
 *
 * <p>Thread-safe. While tasks run, other threads can read the time, schedule and cancel; only to move the time, they
 * wait for their turn.
 */
public final class ManualTime implements TimeSource {
    /** Where the time starts unless told otherwise: 2026-01-01T00:00:00Z. */
    public static final long START_MICROS = 1_767_225_600_000_000L;

    private final boolean forwardOnly;
    private final Agenda agenda = new Agenda();
    private final ReentrantLock turn = new ReentrantLock();
    private volatile long now;

    /** Time that stands at {@link #START_MICROS} and may be set back. */
    public ManualTime() {
        this(START_MICROS, false);
    }

    private ManualTime(long micros, boolean forwardOnly) {
        this.now = micros;
        this.forwardOnly = forwardOnly;
    }

    /** Time that stands there and may be set back. */
    public static ManualTime at(long micros) {
        return new ManualTime(micros, false);
    }

    /** Time that stands there and {@linkplain #isMonotonic() never goes back}. */
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
     * Moves the time forward; by 0, runs what was scheduled for now.
     *
     * @throws IllegalArgumentException if negative
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
     * Moves the time there, forward or back. Back, nothing runs, and what was scheduled keeps its moment.
     *
     * @throws IllegalArgumentException if that is back and this time is {@linkplain #forwardOnly forward only}
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
        agenda.runUntil(micros, due -> now = Math.max(now, due));
        now = Math.max(now, micros);
        // Another thread may have scheduled something for a moment that was just passed, when it still lay ahead.
        agenda.runUntil(micros, due -> {});
    }

    /** Keeps the task until the time is moved there or past it. A delay of 0 or less means the next move, even by 0. */
    @Override
    public Runnable schedule(long delayMicros, Runnable task) {
        return agenda.add(now, delayMicros, task);
    }

    /** How many tasks are waiting. */
    public int scheduled() {
        return agenda.size();
    }

    /**
     * Blocks until at least so many tasks are waiting, so that a test knows that its threads wait.
     *
     * @throws AssertionError if that does not happen within 10 seconds of real time
     */
    public void awaitScheduled(int tasks) throws InterruptedException {
        agenda.awaitSize(tasks);
    }

    @Override
    public String toString() {
        return "ManualTime[micros=" + now + ", scheduled=" + scheduled() + "]";
    }
}
