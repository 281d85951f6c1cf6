package io.sluice.memory;

import io.sluice.TimeSource;

/** One moment, on both clocks: everything that is decided together is decided at it. Read after all holds are taken. */
final class Moment {
    private static final long UNREAD = Long.MIN_VALUE;

    private final TimeSource time;
    private long micros = UNREAD;
    private long wallMicros = UNREAD;

    Moment(TimeSource time) {
        this.time = time;
    }

    /** The time on the clock that the terms live by. */
    long on(Terms terms) {
        if (terms.aligned) {
            wallMicros = wallMicros == UNREAD ? time.wallMicros() : wallMicros;
            return wallMicros;
        }
        micros = micros == UNREAD ? time.micros() : micros;
        return micros;
    }
}
