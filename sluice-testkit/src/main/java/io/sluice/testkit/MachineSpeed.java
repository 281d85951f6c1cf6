package io.sluice.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how much slower this machine runs than when it is idle, and scales time limits of tests by it. A machine that is
 * ten times slower gets ten times as long, so a test of a time limit does not fail only because the machine is busy.
 *
 * <p>A background thread repeats a short piece of work until the meter is closed; the fastest repetition counts as the
 * speed of the idle machine.
 *
 * <pre>{@code
 * try (MachineSpeed speed = new MachineSpeed()) {
 *     Duration elapsed = timed(() -> engine.reload());
 *     assertThat(elapsed).isLessThan(speed.scale(Duration.ofSeconds(1)));
 * }
 * }</pre>
 */
public final class MachineSpeed implements AutoCloseable {
    private static final long NAP_NANOS = Duration.ofMillis(5).toNanos();
    private static final int WORK = 100_000;

    private final Thread thread = new Thread(this::measure, "sluice-machine-speed");
    private volatile boolean closed;
    private long fastestNanos = Long.MAX_VALUE;
    private long totalNanos;
    private long rounds;
    private int sum;

    /** Starts to measure. */
    public MachineSpeed() {
        thread.setDaemon(true);
        thread.start();
    }

    private void measure() {
        while (!closed) {
            long start = System.nanoTime();
            LockSupport.parkNanos(NAP_NANOS);
            for (int i = 0; i < WORK; i++) {
                sum = sum * 31 + i;
            }
            add(System.nanoTime() - start);
        }
    }

    private synchronized void add(long nanos) {
        fastestNanos = Math.min(fastestNanos, Math.max(nanos, NAP_NANOS));
        totalNanos += nanos;
        rounds++;
    }

    /**
     * Scales a time limit by the average slowdown so far.
     *
     * @param idle the limit on an idle machine
     * @return the limit on this machine, never less than {@code idle}
     */
    public synchronized Duration scale(Duration idle) {
        return rounds == 0
                ? idle
                : idle.multipliedBy(Math.max(100, 100 * totalNanos / (rounds * fastestNanos)))
                        .dividedBy(100);
    }

    /** Stops to measure. */
    @Override
    public void close() {
        closed = true;
    }
}
