package io.sluice.memory.keys;

import io.sluice.Limit;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import io.sluice.memory.state.Cell;
import io.sluice.memory.state.Moment;
import io.sluice.memory.state.Standing;
import io.sluice.memory.state.State;
import io.sluice.memory.state.Terms;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** All keys of one limit of one limiter. */
public final class Space {
    /** Where this space stands in the order in which keys of several spaces are held. */
    public final int id;

    public final ConcurrentHashMap<String, Cell> cells;

    private static final int MOST_LIVES = (1 << 30) - 1;

    private final AtomicInteger lives = new AtomicInteger();
    private final Keys keys;
    private final TimeSource time;
    private volatile Terms terms;

    /** The latest time at which a key was dropped because it was fresh again: a new key does not start before it. */
    private final AtomicLong floor = new AtomicLong();

    /** The same, of keys that live by the wall clock. */
    private final AtomicLong alignedFloor = new AtomicLong();

    private volatile boolean retired;

    private final AtomicLong evictions = new AtomicLong();

    public Space(Limit limit, Keys keys, TimeSource time) {
        this(new Terms(limit, time), new ConcurrentHashMap<>(), keys, time);
    }

    /** With room for so many keys, which come from a snapshot. */
    public Space(Terms terms, int expected, Keys keys, TimeSource time) {
        this(terms, new ConcurrentHashMap<>(expected), keys, time);
    }

    private Space(Terms terms, ConcurrentHashMap<String, Cell> cells, Keys keys, TimeSource time) {
        this.cells = cells;
        this.keys = keys;
        this.time = time;
        this.terms = terms;
        this.id = keys.watch(this);
    }

    public Terms terms() {
        return terms;
    }

    public void update(Limit limit) {
        if (!terms.limit.equals(limit)) {
            update(new Terms(limit, time));
        }
    }

    public void update(Terms newer) {
        Terms old = terms;
        if (!old.limit.equals(newer.limit)) {
            if (newer.aligned != old.aligned) {
                // The keys live by the other clock from now on.
                floor.set(0);
                alignedFloor.set(0);
            }
            old.replaceBy(newer, time);
            terms = newer;
            keys.limitsChanged();
        }
    }

    /** Takes hold of a key under the newest terms. A key never seen is fresh, and stays only if it gets used. */
    public Hold hold(String key) {
        while (true) {
            Cell cell = cells.get(key);
            if (cell == null) {
                Hold created = holdNew(key, terms);
                if (created != null) {
                    return created;
                }
                continue;
            }
            State state = cell.hold(time);
            if (state == null) {
                // Whoever dropped it is about to remove it; who is first counts.
                removeDropped(key, cell);
            } else {
                Hold hold = new Hold(this, key, cell, state);
                if (cell.terms.next() == null) {
                    return hold;
                }
                convert(hold);
            }
        }
    }

    /** Takes hold of a key that will be judged by the terms of a call, whatever it was charged by before. */
    public Hold hold(String key, Terms brought) {
        while (brought.stateful) {
            Cell cell = cells.get(key);
            if (cell == null) {
                Hold created = holdNew(key, brought);
                if (created != null) {
                    return created;
                }
                continue;
            }
            State state = cell.hold(time);
            if (state != null) {
                return new Hold(this, key, cell, state, brought);
            }
            removeDropped(key, cell);
        }
        return new Hold(this, key, brought);
    }

    /** Such a hold to look through: one that does not publish a key never seen. */
    public Hold look(String key, Terms brought) {
        return !brought.stateful || cells.containsKey(key)
                ? hold(key, brought)
                : new Hold(this, key, null, fresh(brought));
    }

    /** Publishes a fresh key, held; null if somebody else was faster. */
    private @Nullable Hold holdNew(String key, Terms current) {
        if (!current.stateful) {
            return new Hold(this, key, current);
        }
        State state = fresh(current);
        Cell cell = current.cellFor(state, nextLife());
        if (cells.putIfAbsent(key, cell) != null) {
            return null;
        }
        keys.added(this, key);
        return new Hold(this, key, cell, state);
    }

    private int nextLife() {
        return lives.incrementAndGet() & MOST_LIVES;
    }

    State fresh(Terms current) {
        State state = current.fresh();
        // A clock that was set back by more than the limit remembers would keep new keys waiting for no reason.
        long earliest = floor(current);
        long ahead = earliest - current.now(time);
        if (ahead > 0 && ahead <= Exact.micros(current.rule.refillTime())) {
            state.changed(earliest);
        }
        return state;
    }

    /** A hold to look through: one that does not publish a key never seen. */
    public Hold look(String key) {
        if (cells.containsKey(key)) {
            return hold(key);
        }
        Terms current = terms;
        return current.stateful ? new Hold(this, key, null, fresh(current)) : new Hold(this, key, current);
    }

    /** Denies a key for so many microseconds, or longer if it is paused for longer already. */
    public void pause(String key, long micros, Moment moment) {
        Hold hold = hold(key);
        while (hold.cell == null) {
            publishUncounted(key, hold.terms);
            hold = hold(key);
        }
        hold.arrive(moment);
        hold.requireState().pause(micros, hold.t());
        replace(hold, hold.requireState());
        makeRoom();
    }

    /** Makes a key of a limit that keeps no state, so that it can be paused. */
    private void publishUncounted(String key, Terms current) {
        State state = current.fresh();
        state.begin(nextLife());
        if (cells.putIfAbsent(key, state) == null) {
            keys.added(this, key);
        }
        state.release(state);
    }

    /** Brings a held key to the next terms, and ends the hold. */
    private void convert(Hold hold) {
        Terms next = hold.terms.next();
        State converted = next == null ? null : hold.requireState().convert(next);
        if (next == null || converted == null) {
            remove(hold);
            return;
        }
        replace(hold, converted);
    }

    /** Goes on with a held key's state, perhaps under other terms or in another kind of cell, and ends the hold. */
    void replace(Hold hold, State state) {
        Cell cell = hold.requireCell();
        weigh(state.weight() - hold.weight);
        if (cell == state) {
            cell.release(state);
            return;
        }
        Cell newer = state.terms.cellFor(state, cell.life());
        cells.replace(hold.key, cell, newer);
        cell.drop();
        newer.release(state);
    }

    /** Forgets a held key. */
    public void remove(Hold hold) {
        weigh(-hold.weight);
        hold.requireCell().drop();
        removeDropped(hold.key, hold.requireCell());
    }

    private void removeDropped(String key, Cell cell) {
        keys.leaving();
        keys.left(cells.remove(key, cell));
    }

    /** A key counts as so many keys more than before, or fewer. */
    void weigh(int more) {
        keys.weigh(more);
    }

    /** Lets keys go if there are too many; after a hold that may have made one. */
    public void makeRoom() {
        keys.makeRoom();
    }

    /** Notes that something was given back to a key. */
    public void lightened(String key) {
        keys.lightened(this, key);
    }

    /** Drops a key that time has made fresh, if nobody is using it right now. */
    void sweep(String key, Cell cell) {
        // What is under replaced terms cannot tell when it will be fresh: it is converted first.
        if (retired || cell.terms.next() != null || cell.freshIn(time) == 0) {
            drop(key, cell, retired);
        }
    }

    /** The limit is no longer in force: its keys are swept, whatever they hold. */
    public void retire() {
        retired = true;
    }

    boolean isRetired() {
        return retired;
    }

    /** Drops a key unless it has used more than was seen; whether it did. */
    boolean evict(String key, Standing seen, Moment moment) {
        Cell cell = cells.get(key);
        State state = cell == null ? null : cell.tryHold(time);
        if (cell == null || state == null) {
            return false;
        }
        Hold hold = new Hold(this, key, cell, state);
        long t = state.at(moment.on(cell.terms));
        Standing now = state.standing(t);
        if (now.share() > seen.share() || cell.terms.next() != null) {
            cell.release(state);
            return false;
        }
        if (now.isFresh()) {
            removeFresh(hold, t);
        } else {
            remove(hold);
            evictions.incrementAndGet();
            keys.evicted();
        }
        return true;
    }

    /** How many of its keys were evicted while they were in use. */
    public long evictions() {
        return evictions.get();
    }

    private boolean drop(String key, Cell cell, boolean evenIfUsed) {
        State state = cell.tryHold(time);
        if (state == null) {
            return false;
        }
        Hold hold = new Hold(this, key, cell, state);
        long t = state.at(cell.terms.now(time));
        if (evenIfUsed) {
            remove(hold);
        } else if (cell.terms.next() != null) {
            convert(hold);
        } else if (state.isFresh(t)) {
            removeFresh(hold, t);
        } else {
            cell.release(state);
        }
        return true;
    }

    private void removeFresh(Hold hold, long t) {
        raiseFloor(hold.terms, t);
        remove(hold);
    }

    /** On the clock of those terms. */
    public long floor(Terms terms) {
        return (terms.aligned ? alignedFloor : floor).get();
    }

    public void raiseFloor(Terms terms, long t) {
        (terms.aligned ? alignedFloor : floor).accumulateAndGet(t, Math::max);
    }

    /** On both clocks, the steady one first. */
    public void raiseFloors(long t, long wall) {
        floor.accumulateAndGet(t, Math::max);
        alignedFloor.accumulateAndGet(wall, Math::max);
    }

    /** The floor on both clocks, the steady one first. */
    public long[] floors() {
        return new long[] {floor.get(), alignedFloor.get()};
    }

    /** How the state of a key is written. */
    public interface Saving {
        /** Whether it was; not so if it is under terms that are not wanted. */
        boolean save(String key, Terms terms, State state);
    }

    /**
     * Writes a key, or drops it if time has made it fresh.
     *
     * @return whether it was written
     */
    public boolean save(String key, Saving saving) {
        Hold hold = look(key);
        if (hold.cell == null) {
            return false;
        }
        State state = hold.requireState();
        boolean fresh = false;
        try {
            long t = state.at(hold.terms.now(time));
            fresh = state.isFresh(t);
            if (fresh) {
                removeFresh(hold, t);
                return false;
            }
            return saving.save(key, hold.terms, state);
        } finally {
            if (!fresh) {
                hold.requireCell().release(state);
            }
        }
    }

    /** Takes in the state of a key from a snapshot, before anybody uses this. */
    public void restore(String key, State state) {
        Cell cell = state.terms.cellFor(state, nextLife());
        // A key that went and came again while it was saved may be there twice.
        Cell before = cells.put(key, cell);
        if (before == null) {
            keys.added(this, key);
        }
        weigh(state.weight() - (before instanceof State replaced ? replaced.weight() : 0));
        cell.release(state);
        makeRoom();
    }
}
