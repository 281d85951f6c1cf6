package io.sluice.memory.state;

import io.sluice.TimeSource;

/** One moment, on both clocks: everything that is decided together is decided at it. Read after all holds are taken. */
public final class Moment {
    private static final long UNREAD = Long.MIN_VALUE;

    private final TimeSource time;
    private long micros = UNREAD;
    private long wallMicros = UNREAD;

    public Moment(TimeSource time) {
        this.time = time;
    }

    /** The time on the clock that the terms live by. */
    public long on(Terms terms) {
        if (terms.aligned) {
            wallMicros = wallMicros == UNREAD ? time.wallMicros() : wallMicros;
            return wallMicros;
        }
        micros = micros == UNREAD ? time.micros() : micros;
        return micros;
    }
}
