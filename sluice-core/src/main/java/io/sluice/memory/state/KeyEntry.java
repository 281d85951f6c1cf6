package io.sluice.memory.state;

import io.sluice.Decision;
import io.sluice.TimeSource;
import org.jspecify.annotations.Nullable;

/** The entry of one key in a table: its state, and the lock on it. A thread holds the lock for some nanoseconds. */
public abstract class KeyEntry {
    static final int DENIED = 0;
    public static final int ALLOWED = 1;

    /** The entry cannot decide by itself, because it was dropped or its limit was replaced: look up the key again. */
    public static final int GONE = 2;

    /** The answer of {@link #acquireUpTo} that means {@link #GONE}. */
    public static final long GONE_TAKEN = -1;

    public final ActiveLimit active;

    KeyEntry(ActiveLimit active) {
        this.active = active;
    }

    /** The generation of the key: a key that was removed and comes again has another number. */
    public abstract int generation();

    /**
     * Takes permits, at least 1, if they are free without a delay. Returns {@link #ALLOWED}, {@link #DENIED} or {@link #GONE}.
     */
    public abstract int tryAcquire(long permits, TimeSource time);

    /** Takes permits, 0 or more, if they are free. Returns null if {@link #GONE}. */
    public abstract @Nullable Decision check(long permits, TimeSource time);

    /**
     * Takes as many permits as are free without a delay, at most so many. Returns how many were taken, or {@link #GONE_TAKEN}.
     */
    public abstract long acquireUpTo(long permits, TimeSource time);

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
