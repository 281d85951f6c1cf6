package io.sluice.memory.keys;

import io.sluice.Decision;
import io.sluice.exact.Exact;
import io.sluice.memory.state.Cell;
import io.sluice.memory.state.Moment;
import io.sluice.memory.state.State;
import io.sluice.memory.state.Terms;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One key of one limit, held for the length of one operation: judged first, then perhaps changed, then released. */
public final class Hold {
    final Space space;
    public final String key;

    /** Where the state is kept; null for a key that is only looked at, and for limits that keep none. */
    public final @Nullable Cell cell;

    /** The terms that a call brings, where it brings any. */
    private final @Nullable Terms brought;

    /** What it is judged by. */
    public Terms terms;

    /** Null for limits that keep none. */
    @Nullable
    public State state;

    /** What the cell had, if the call brings other terms: it stays unless something is taken. */
    private @Nullable State before;

    /** What the state weighed when the hold began. */
    final int weight;

    private boolean changed;
    private long t;
    private long permits;
    private long kept;
    private boolean allowed;
    private long delay;

    Hold(Space space, String key, @Nullable Cell cell, State state) {
        this(space, key, cell, state, null);
    }

    /** @param brought the terms by which it will be judged, whatever the state's are; null for the state's */
    Hold(Space space, String key, @Nullable Cell cell, State state, @Nullable Terms brought) {
        this.space = space;
        this.key = key;
        this.terms = state.terms;
        this.cell = cell;
        this.state = state;
        this.brought = brought;
        this.weight = state.weight();
    }

    Hold(Space space, String key, Terms stateless) {
        this.space = space;
        this.key = key;
        this.terms = stateless;
        this.cell = null;
        this.state = null;
        this.brought = null;
        this.weight = 0;
    }

    Cell requireCell() {
        return Objects.requireNonNull(cell);
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

    /** Reads the time; everything below is as of it. */
    public void arrive(Moment moment) {
        if (brought != null && state != null && !terms.isOf(brought.limit)) {
            before = state;
            State converted = state.convert(brought, moment.on(terms), moment.on(brought));
            state = converted == null ? space.fresh(brought) : converted;
            terms = brought;
        }
        t = state == null ? 0 : state.at(moment.on(terms));
    }

    public void judge(long permits) {
        judge(permits, 0);
    }

    /** As if so many more were asked for as are kept. */
    public void judge(long permits, long kept) {
        this.permits = permits;
        this.kept = kept;
        if (state == null || terms.blocked) {
            allowed = !terms.blocked;
        } else {
            allowed = state.allows(Exact.sum(permits, kept), t);
            delay = allowed ? state.delay(t) : 0;
        }
    }

    /** Uses what was judged, allowed or not. */
    public void take() {
        if (state != null && permits > 0) {
            state.take(permits, t);
            changed = true;
        }
    }

    /** Starts the lockout, if it was this limit that denied, and not only because of what is kept or held. */
    public void deny() {
        if (state != null && !allowed && permits > 0 && !state.allowsWithoutHeld(permits, t)) {
            changed |= terms.lockoutMicros > 0 && state.lockRest(t) == 0;
            state.lock(t);
        }
    }

    public Decision decision() {
        if (terms.blocked) {
            return Decision.BLOCKED;
        }
        return state == null ? Decision.UNLIMITED : state.decision(allowed, permits, kept, delay, t);
    }

    /** How long to wait before permits that are taken now may be used; {@link Decision#NEVER} if they never may. */
    long waitToUse(long permits) {
        if (permits > terms.capacity || terms.blocked) {
            return Decision.NEVER;
        }
        return state == null ? 0 : Math.max(state.waitToUse(permits, t), state.lockRest(t));
    }

    public void release() {
        if (cell == null) {
            return;
        }
        State left = before == null || changed ? requireState() : before;
        if (left.isFresh(left.last)) {
            space.remove(this);
        } else if (before == null || !changed) {
            space.weigh(left.weight() - weight);
            cell.release(left);
        } else {
            space.replace(this, left);
        }
    }
}
