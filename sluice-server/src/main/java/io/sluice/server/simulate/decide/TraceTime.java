package io.sluice.server.simulate.decide;

import io.sluice.TimeSource;
import io.sluice.server.simulate.trace.RequestReader;

/** The recorded time of the current request. */
public final class TraceTime implements TimeSource {
    private volatile long micros;

    /** Sets the time. It never decreases: {@link RequestReader} checks that. */
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
