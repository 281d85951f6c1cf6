package io.sluice.cli.simulate.decide;

import io.sluice.TimeSource;
import io.sluice.cli.simulate.trace.RequestReader;

/** The time of the row that is being decided. */
public final class TraceTime implements TimeSource {
    private volatile long micros;

    /** Times never fall: those who read {@link RequestReader} have seen to it. */
    public void set(long micros) {
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
