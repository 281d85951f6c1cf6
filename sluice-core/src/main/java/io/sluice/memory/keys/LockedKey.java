package io.sluice.memory.keys;

import io.sluice.Decision;
import io.sluice.exact.Exact;
import io.sluice.memory.state.ActiveLimit;
import io.sluice.memory.state.ConcurrencyState;
import io.sluice.memory.state.DecisionTime;
import io.sluice.memory.state.KeyEntry;
import io.sluice.memory.state.State;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A key of one limit, locked for one operation: first judged, then perhaps changed, then unlocked. */
public final class LockedKey {
    final KeyTable table;
    public final String key;

    /** The entry in the table. Null for a key that was not created, and for a limit without state. */
    public final @Nullable KeyEntry entry;

    /** The limit that the call carries, if it carries one. */
    private final @Nullable ActiveLimit carried;

    /** The limit by which the request is judged. */
    public ActiveLimit active;

    /** Null for a limit without state. */
    @Nullable
    public State state;

    /** The state before the conversion to a carried limit. It stays in the table unless something is taken. */
    private @Nullable State before;

    /** The weight of the state when it was locked. */
    final int weight;

    private boolean changed;
    private long t;
    private long permits;
    private long kept;
    private boolean allowed;
    private long delay;

    LockedKey(KeyTable table, String key, @Nullable KeyEntry entry, State state) {
        this(table, key, entry, state, null);
    }

    /** @param carried the limit by which the request is judged; null for the limit of the state */
    LockedKey(KeyTable table, String key, @Nullable KeyEntry entry, State state, @Nullable ActiveLimit carried) {
        this.table = table;
        this.key = key;
        this.active = state.active;
        this.entry = entry;
        this.state = state;
        this.carried = carried;
        this.weight = state.weight();
    }

    LockedKey(KeyTable table, String key, ActiveLimit stateless) {
        this.table = table;
        this.key = key;
        this.active = stateless;
        this.entry = null;
        this.state = null;
        this.carried = null;
        this.weight = 0;
    }

    KeyEntry requireEntry() {
        return Objects.requireNonNull(entry);
    }

    public State requireState() {
        return Objects.requireNonNull(state);
    }

    public long t() {
        return t;
    }

    public boolean allowed() {
        return allowed;
    }

    long delay() {
        return delay;
    }

    /** Sets the time of the decision. All methods below use it. */
    public void readTime(DecisionTime moment) {
        if (carried != null && state != null && !active.isFor(carried.limit)) {
            before = state;
            State converted = state.convert(carried, moment.on(active), moment.on(carried));
            state = converted == null ? table.fresh(carried) : converted;
            active = carried;
        }
        t = state == null ? 0 : state.notBeforeLast(moment.on(active));
    }

    public void judge(long permits) {
        judge(permits, 0);
    }

    /** Judges the request as if it asked for the kept permits too. */
    public void judge(long permits, long kept) {
        this.permits = permits;
        this.kept = state == null ? kept : state.keptNow(kept, t);
        if (state == null || active.blocked) {
            allowed = !active.blocked;
        } else {
            allowed = state.allows(Exact.sum(permits, this.kept), t);
            delay = allowed ? state.delay(t) : 0;
        }
    }

    /** The permits by which a request for some is judged. One of concurrency holds one permit, however many it asks for. */
    public long asked(long permits) {
        return active.holds ? Math.min(permits, 1) : permits;
    }

    /** Holds a permit, whether one is free or not. For limits of concurrency. */
    public void hold(long id) {
        ((ConcurrencyState) requireState()).enter(id, t);
        changed = true;
    }

    /** The whole permits that this limit allows now. */
    long free() {
        if (active.blocked) {
            return 0;
        }
        return state == null ? Long.MAX_VALUE : state.free(t);
    }

    /** Takes the judged permits, allowed or not. */
    public void take() {
        if (state != null && permits > 0) {
            state.take(permits, t);
            changed = true;
        }
    }

    /** Takes permits whether they are free or not, as far as a debt may go. Returns how many. */
    public long takeByForce(long permits) {
        if (state == null || permits == 0 || active.holds) {
            return 0;
        }
        long takable = state.takable(permits, t);
        if (takable > 0) {
            state.take(takable, t);
        } else {
            state.advance(t);
        }
        changed = true;
        return takable;
    }

    /** Starts the lockout if this limit denied, and not only because of kept or tentatively taken permits. */
    public void deny() {
        if (state != null && !allowed && permits > 0 && !state.allowsWithoutTentative(permits, t)) {
            changed |= active.lockoutMicros > 0 && state.deniedFor(t) == 0;
            state.deny(permits, t);
        }
    }

    public Decision decision() {
        if (active.blocked) {
            return Decision.BLOCKED;
        }
        return state == null ? Decision.UNLIMITED : state.decision(allowed, permits, kept, delay, t);
    }

    /** The decision by which one permit was just taken, perhaps ahead of time. */
    Decision decisionAfterTaking() {
        return state == null ? Decision.UNLIMITED : state.decision(true, 1, 0, 0, t);
    }

    /** The microseconds until permits that are taken now may be used, or {@link Decision#NEVER}. */
    long waitToUse(long permits) {
        if (asked(permits) > active.capacity || active.blocked) {
            return Decision.NEVER;
        }
        return state == null ? 0 : Math.max(state.waitToUse(asked(permits), t), state.deniedFor(t));
    }

    /** For how many microseconds permits certainly cannot be used. What is held may be given back at any time. */
    long leastWait(long permits) {
        return active.holds && state != null ? state.deniedFor(t) : waitToUse(permits);
    }

    /** Stores the changed state, or removes a fresh key, and unlocks. */
    public void unlock() {
        if (entry == null) {
            return;
        }
        State left = before == null || changed ? requireState() : before;
        if (left.isFresh(left.last)) {
            table.remove(this);
        } else if (before == null || !changed) {
            table.addWeight(left.weight() - weight);
            entry.unlock(left);
        } else {
            table.replace(this, left);
        }
    }
}
