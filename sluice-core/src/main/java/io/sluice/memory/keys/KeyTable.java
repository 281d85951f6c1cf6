package io.sluice.memory.keys;

import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.state.ActiveLimit;
import io.sluice.memory.state.DecisionTime;
import io.sluice.memory.state.KeyEntry;
import io.sluice.memory.state.KeyUsage;
import io.sluice.memory.state.State;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** All keys of one limit of one limiter. Thread-safe. */
public final class KeyTable {
    /** The position of this table in the order in which a decision locks keys of several tables. */
    public final int id;

    /** The entry of each key. Read directly on the fast path. */
    public final ConcurrentHashMap<String, KeyEntry> entries;

    private static final int MAX_GENERATION = (1 << 30) - 1;

    private final AtomicInteger generations = new AtomicInteger();
    private final KeyRegistry registry;
    private final TimeSource time;
    private volatile ActiveLimit active;

    /** The latest time at which a fresh key was removed. A new key does not start before it. */
    private final AtomicLong earliestTime = new AtomicLong();

    /** The same, for keys on the wall clock. */
    private final AtomicLong earliestWallTime = new AtomicLong();

    private volatile boolean retired;

    private final AtomicLong evictions = new AtomicLong();

    public KeyTable(Limit limit, KeyRegistry registry, TimeSource time) {
        this(new ActiveLimit(limit, time), new ConcurrentHashMap<>(), registry, time);
    }

    /** @param expected how many keys will be restored from a snapshot */
    public KeyTable(ActiveLimit active, int expected, KeyRegistry registry, TimeSource time) {
        this(active, new ConcurrentHashMap<>(expected), registry, time);
    }

    private KeyTable(
            ActiveLimit active, ConcurrentHashMap<String, KeyEntry> entries, KeyRegistry registry, TimeSource time) {
        this.entries = entries;
        this.registry = registry;
        this.time = time;
        this.active = active;
        this.id = registry.register(this);
    }

    public ActiveLimit activeLimit() {
        return active;
    }

    /** Replaces the limit. The keys are converted later, when a call meets them. */
    public void update(Limit limit) {
        if (!active.limit.equals(limit)) {
            update(new ActiveLimit(limit, time));
        }
    }

    /** Like {@link #update(Limit)}, with an active limit that was created before. */
    public void update(ActiveLimit newer) {
        ActiveLimit old = active;
        if (!old.limit.equals(newer.limit)) {
            if (newer.aligned != old.aligned) {
                // The keys use the other clock from now on.
                earliestTime.set(0);
                earliestWallTime.set(0);
            }
            old.replaceBy(newer, time);
            active = newer;
            registry.limitsChanged();
        }
    }

    /** Locks a key under the newest limit. An absent key is created fresh, and removed again if it is not used. */
    public LockedKey lock(String key) {
        while (true) {
            KeyEntry entry = entries.get(key);
            if (entry == null) {
                LockedKey created = lockNew(key, active);
                if (created != null) {
                    return created;
                }
                continue;
            }
            State state = entry.lock(time);
            if (state == null) {
                // The thread that dropped it is about to remove it. Remove it here if that thread is slower.
                removeDropped(key, entry);
            } else {
                LockedKey locked = new LockedKey(this, key, entry, state);
                if (entry.active.next() == null) {
                    return locked;
                }
                convert(locked);
            }
        }
    }

    /** Locks a key for a call that carries its own limit, whatever limit the key has now. */
    public LockedKey lock(String key, ActiveLimit carried) {
        while (carried.stateful) {
            KeyEntry entry = entries.get(key);
            if (entry == null) {
                LockedKey created = lockNew(key, carried);
                if (created != null) {
                    return created;
                }
                continue;
            }
            State state = entry.lock(time);
            if (state != null) {
                return new LockedKey(this, key, entry, state, carried);
            }
            removeDropped(key, entry);
        }
        return new LockedKey(this, key, carried);
    }

    /** Locks a key like {@link #lock(String, ActiveLimit)}, but does not create an absent key. */
    public LockedKey lockExisting(String key, ActiveLimit carried) {
        return !carried.stateful || entries.containsKey(key)
                ? lock(key, carried)
                : new LockedKey(this, key, null, fresh(carried));
    }

    /** Creates a fresh key, locked. Returns null if another thread was faster. */
    private @Nullable LockedKey lockNew(String key, ActiveLimit current) {
        if (!current.stateful) {
            return new LockedKey(this, key, current);
        }
        State state = fresh(current);
        KeyEntry entry = current.newEntry(state, nextGeneration());
        if (entries.putIfAbsent(key, entry) != null) {
            return null;
        }
        registry.added(this, key);
        return new LockedKey(this, key, entry, state);
    }

    private int nextGeneration() {
        return generations.incrementAndGet() & MAX_GENERATION;
    }

    /** The state of a new key. It does not start before {@link #earliestTime}. */
    State fresh(ActiveLimit current) {
        State state = current.fresh();
        // If the clock was set back by more than the refill time of the limit, new keys would wait for no reason.
        long earliest = earliestTime(current);
        long ahead = earliest - current.now(time);
        if (ahead > 0 && ahead <= Exact.micros(current.rule.refillTime())) {
            state.changedAt(earliest);
        }
        return state;
    }

    /** Locks a key like {@link #lock(String)}, but does not create an absent key. */
    public LockedKey lockExisting(String key) {
        if (entries.containsKey(key)) {
            return lock(key);
        }
        ActiveLimit current = active;
        return current.stateful ? new LockedKey(this, key, null, fresh(current)) : new LockedKey(this, key, current);
    }

    /** Pauses a key for that many microseconds. A pause that ends later stays as it is. */
    public void pause(String key, long micros, DecisionTime moment) {
        LockedKey locked = lock(key);
        while (locked.entry == null) {
            publishUncounted(key, locked.active);
            locked = lock(key);
        }
        locked.readTime(moment);
        locked.requireState().pause(micros, locked.t());
        replace(locked, locked.requireState());
        makeRoom();
    }

    /** Creates a key of a limit without state, so that it can be paused. */
    private void publishUncounted(String key, ActiveLimit current) {
        State state = current.fresh();
        state.begin(nextGeneration());
        if (entries.putIfAbsent(key, state) == null) {
            registry.added(this, key);
        }
        state.unlock(state);
    }

    /** Converts a locked key to the next limit and unlocks it. */
    private void convert(LockedKey locked) {
        ActiveLimit next = locked.active.next();
        State converted = next == null ? null : locked.requireState().convert(next);
        if (next == null || converted == null) {
            remove(locked);
            return;
        }
        replace(locked, converted);
    }

    /** Replaces the state of a locked key, perhaps under another limit or in another kind of entry, and unlocks it. */
    void replace(LockedKey locked, State state) {
        KeyEntry entry = locked.requireEntry();
        addWeight(state.weight() - locked.weight);
        if (entry == state) {
            entry.unlock(state);
            return;
        }
        KeyEntry newer = state.active.newEntry(state, entry.generation());
        entries.replace(locked.key, entry, newer);
        entry.drop();
        newer.unlock(state);
    }

    /** Removes a locked key. */
    public void remove(LockedKey locked) {
        addWeight(-locked.weight);
        locked.requireEntry().drop();
        removeDropped(locked.key, locked.requireEntry());
    }

    private void removeDropped(String key, KeyEntry entry) {
        registry.beforeRemoval();
        registry.afterRemoval(entries.remove(key, entry));
    }

    /** Notes that a key counts as that many keys more than before. Negative for fewer. */
    void addWeight(int more) {
        registry.addWeight(more);
    }

    /** Evicts keys if there are too many. To be called after an operation that may have created one. */
    public void makeRoom() {
        registry.makeRoom();
    }

    /** Notes that permits were given back to a key. */
    public void useReduced(String key) {
        registry.useReduced(this, key);
    }

    /** Removes a key that is fresh again, unless it is locked. */
    void sweep(String key, KeyEntry entry) {
        // A state under a replaced limit does not know when it will be fresh: it is converted first.
        if (retired || entry.active.next() != null || entry.timeUntilFresh(time) == 0) {
            drop(key, entry, retired);
        }
    }

    /** Marks the limit as no longer in force: its keys are removed, whatever their state. */
    public void retire() {
        retired = true;
    }

    boolean isRetired() {
        return retired;
    }

    /** Removes a key unless it has used more than was seen. Returns whether it was removed. */
    boolean evict(String key, KeyUsage seen, DecisionTime moment) {
        KeyEntry entry = entries.get(key);
        State state = entry == null ? null : entry.tryLock(time);
        if (entry == null || state == null) {
            return false;
        }
        LockedKey locked = new LockedKey(this, key, entry, state);
        long t = state.notBeforeLast(moment.on(entry.active));
        KeyUsage now = state.usage(t);
        if (now.percent() > seen.percent() || entry.active.next() != null) {
            entry.unlock(state);
            return false;
        }
        if (now.isFresh()) {
            removeFresh(locked, t);
        } else {
            remove(locked);
            evictions.incrementAndGet();
            registry.evicted();
        }
        return true;
    }

    /** How many keys were evicted that were not fresh. */
    public long evictions() {
        return evictions.get();
    }

    private boolean drop(String key, KeyEntry entry, boolean evenIfUsed) {
        State state = entry.tryLock(time);
        if (state == null) {
            return false;
        }
        LockedKey locked = new LockedKey(this, key, entry, state);
        long t = state.notBeforeLast(entry.active.now(time));
        if (evenIfUsed) {
            remove(locked);
        } else if (entry.active.next() != null) {
            convert(locked);
        } else if (state.isFresh(t)) {
            removeFresh(locked, t);
        } else {
            entry.unlock(state);
        }
        return true;
    }

    private void removeFresh(LockedKey locked, long t) {
        raiseEarliestTime(locked.active, t);
        remove(locked);
    }

    /** The time before which no new key starts, on the clock of a limit. */
    public long earliestTime(ActiveLimit active) {
        return (active.aligned ? earliestWallTime : earliestTime).get();
    }

    public void raiseEarliestTime(ActiveLimit active, long t) {
        (active.aligned ? earliestWallTime : earliestTime).accumulateAndGet(t, Math::max);
    }

    /** Raises the earliest time on both clocks, the steady one first. */
    public void raiseEarliestTimes(long t, long wall) {
        earliestTime.accumulateAndGet(t, Math::max);
        earliestWallTime.accumulateAndGet(wall, Math::max);
    }

    /** The earliest time on both clocks, the steady one first. */
    public long[] earliestTimes() {
        return new long[] {earliestTime.get(), earliestWallTime.get()};
    }

    /** Writes the state of a key to a snapshot. */
    public interface KeyWriter {
        /** Returns whether it was written. It is not if its limit is not the expected one. */
        boolean write(String key, ActiveLimit active, State state);
    }

    /**
     * Writes a key, or removes it if it is fresh again.
     *
     * @return whether it was written
     */
    public boolean save(String key, KeyWriter writer) {
        LockedKey locked = lockExisting(key);
        if (locked.entry == null) {
            return false;
        }
        State state = locked.requireState();
        boolean fresh = false;
        try {
            long t = state.notBeforeLast(locked.active.now(time));
            fresh = state.isFresh(t);
            if (fresh) {
                removeFresh(locked, t);
                return false;
            }
            return writer.write(key, locked.active, state);
        } finally {
            if (!fresh) {
                locked.requireEntry().unlock(state);
            }
        }
    }

    /** Adds a key from a snapshot, before the table is in use. */
    public void restore(String key, State state) {
        KeyEntry entry = state.active.newEntry(state, nextGeneration());
        // A key that was removed and created again during the save may be in the snapshot twice.
        KeyEntry before = entries.put(key, entry);
        if (before == null) {
            registry.added(this, key);
        }
        addWeight(state.weight() - (before instanceof State replaced ? replaced.weight() : 0));
        entry.unlock(state);
        makeRoom();
    }
}
