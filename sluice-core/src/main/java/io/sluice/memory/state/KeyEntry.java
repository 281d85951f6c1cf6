package io.sluice.memory.state;

import io.sluice.TimeSource;
import org.jspecify.annotations.Nullable;

/** The entry of one key in a table: its state, and the lock on it. A thread holds the lock for some nanoseconds. */
public abstract class KeyEntry {
    public final ActiveLimit active;

    KeyEntry(ActiveLimit active) {
        this.active = active;
    }

    /** The generation of the key: a key that was removed and comes again has another number. */
    public abstract int generation();

    /** Locks the entry and returns the state, or null if the entry was dropped. {@link #unlock} or {@link #drop} must follow. */
    public abstract @Nullable State lock(TimeSource time);

    /** Locks the entry like {@link #lock} if it is free. Otherwise returns null at once. */
    public abstract @Nullable State tryLock(TimeSource time);

    /** Unlocks the entry and stores the state, which may have changed. */
    public abstract void unlock(State state);

    /** Ends a locked entry: from now on the key has another entry, or is fresh. */
    public abstract void drop();

    /** A cheap estimate of the microseconds until the key is fresh again. 0 if it seems to be fresh. */
    public abstract long timeUntilFresh(TimeSource time);

    /** How much the key has used, for eviction. Null if the entry is dropped or locked. */
    public abstract @Nullable KeyUsage usage(DecisionTime moment);
}
