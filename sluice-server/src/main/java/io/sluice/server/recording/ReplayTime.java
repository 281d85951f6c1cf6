package io.sluice.server.recording;

import io.sluice.TimeSource;

/** The time of a replay: that of the request that is decided. */
final class ReplayTime implements TimeSource {
    private volatile long micros;

    ReplayTime(long micros) {
        this.micros = micros;
    }

    void set(long now) {
        micros = Math.max(micros, now);
    }

    @Override
    public long micros() {
        return micros;
    }

    /** Nothing happens by itself in a replay. */
    @Override
    public Runnable schedule(long delayMicros, Runnable task) {
        return () -> {};
    }
}
