package io.sluice.testkit;

import io.sluice.TimeSource;

/** The clocks of one process: a steady clock with any start, and a wall clock that can be set. For one thread. */
final class TwoClocks implements TimeSource {
    private final boolean monotonic;
    private long steady;
    private long wall;

    TwoClocks(long steady, long wall, boolean monotonic) {
        this.steady = steady;
        this.wall = wall;
        this.monotonic = monotonic;
    }

    void move(long micros) {
        move(micros, micros);
    }

    void move(long steadyMicros, long wallMicros) {
        steady += steadyMicros;
        wall += wallMicros;
    }

    @Override
    public long micros() {
        return steady;
    }

    @Override
    public long wallMicros() {
        return wall;
    }

    @Override
    public boolean isMonotonic() {
        return monotonic;
    }

    @Override
    public Runnable schedule(long delayMicros, Runnable task) {
        return () -> {};
    }
}
