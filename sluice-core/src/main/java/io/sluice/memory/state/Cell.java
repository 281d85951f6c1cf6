package io.sluice.memory.state;

import io.sluice.TimeSource;
import org.jspecify.annotations.Nullable;

/** Where the state of one key is kept, and who may touch it: one thread at a time, for a few nanoseconds. */
public abstract class Cell {
    public final Terms terms;

    Cell(Terms terms) {
        this.terms = terms;
    }

    /** Which life of the key this is: a key that was forgotten and comes again has another number. */
    public abstract int life();

    /** Takes exclusive hold and gives the state, or null if the cell was dropped. Followed by one of the next two. */
    public abstract @Nullable State hold(TimeSource time);

    /** {@link #hold} if nobody else has it right now; else null. */
    public abstract @Nullable State tryHold(TimeSource time);

    /** Ends the hold; the state may have changed. */
    public abstract void release(State state);

    /** Ends the hold and the cell: from now on the key is elsewhere, or as if never seen. */
    public abstract void drop();

    /** A cheap guess, without a hold, of the microseconds until the key is fresh again; 0 if it seems to be. */
    public abstract long freshIn(TimeSource time);

    /** How the key stands, for the {@link Evictor}; null if the cell was dropped, or somebody has it right now. */
    public abstract @Nullable Standing standing(Moment moment);
}
