package io.sluice.memory.snapshot;

import io.sluice.TimeSource;
import io.sluice.memory.state.ActiveLimit;

/*
 * The steady clock of this process may have started at any value. Only the wall clock knows how long no process was
 * running. So the time of the save on the steady clock is now, less the time that has passed on the wall clock. Saved
 * times are relative to it. Windows that are aligned to the epoch use the wall clock itself, so their times stay as they
 * were. If the wall clock was set back, no time has passed.
 */
/** The time of the save of a snapshot, on the clocks of this process. */
record SnapshotClock(long micros, long wallMicros) {

    /** @param wallMicros the time of the save on the wall clock */
    static SnapshotClock of(long wallMicros, TimeSource time) {
        // In this order: a pause between the two readings must not count as time since the save.
        long wallNow = time.wallMicros();
        long now = time.micros();
        return new SnapshotClock(now - Math.max(0, wallNow - wallMicros), wallMicros);
    }

    /** The time of the save on the clock of a limit. */
    long on(ActiveLimit active) {
        return active.aligned ? wallMicros : micros;
    }
}
