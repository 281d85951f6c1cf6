package io.sluice.cli;

import io.sluice.TimeSource;

/** The time of the row that is being decided. */
final class TraceTime implements TimeSource {
    private volatile long micros;

    /** Times never fall: those who read {@link Rows} have seen to it. */
    void set(long micros) {
        this.micros = micros;
    }

    @Override
    public long micros() {
        return micros;
    }

    @Override
    public boolean isMonotonic() {
        return true;
    }
}
