package io.sluice.memory.state;

import io.sluice.TimeSource;

/** The time of one decision, on both clocks. Each clock is read once, when it is first needed, after all keys are locked. */
public final class DecisionTime {
    private static final long UNREAD = Long.MIN_VALUE;

    private final TimeSource time;
    private long micros = UNREAD;
    private long wallMicros = UNREAD;

    public DecisionTime(TimeSource time) {
        this.time = time;
    }

    /** The time on the clock of a limit. */
    public long on(ActiveLimit active) {
        if (active.aligned) {
            wallMicros = wallMicros == UNREAD ? time.wallMicros() : wallMicros;
            return wallMicros;
        }
        micros = micros == UNREAD ? time.micros() : micros;
        return micros;
    }
}
