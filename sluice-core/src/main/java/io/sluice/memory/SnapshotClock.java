package io.sluice.memory;

import io.sluice.TimeSource;
import io.sluice.memory.state.Terms;

/*
 * The steady clock of this process may have started anywhere; only the wall clock knows how long nobody was there. So the
 * moment of the save lies as far in the past of the steady clock as the wall clock says, and what was saved relative to
 * that moment has its place again. Windows that are aligned to the epoch live by the wall clock itself: theirs is what it
 * was. A wall clock that was set back says nothing: then no time has passed.
 */
/** When a snapshot was saved, on the clocks of this process. */
record SnapshotClock(long micros, long wallMicros) {

    /** @param wallMicros the wall clock at the save */
    static SnapshotClock of(long wallMicros, TimeSource time) {
        // In this order: a pause between the two must not look like time that has passed since the save.
        long wallNow = time.wallMicros();
        long now = time.micros();
        return new SnapshotClock(now - Math.max(0, wallNow - wallMicros), wallMicros);
    }

    /** On the clock that these terms live by. */
    long on(Terms terms) {
        return terms.aligned ? wallMicros : micros;
    }
}
