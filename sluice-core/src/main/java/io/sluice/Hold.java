package io.sluice;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One key of one limit, held for the length of one operation: judged first, then perhaps changed, then released. */
final class Hold {
    final Space space;
    final String key;
    final Terms terms;

    /** Where the state is kept; null for a key that is only looked at, and for limits that keep none. */
    final @Nullable Cell cell;

    /** Null for limits that keep none. */
    final @Nullable State state;

    private long t;
    private long permits;
    private long kept;
    private boolean allowed;
    private long delay;

    Hold(Space space, String key, @Nullable Cell cell, State state) {
        this.space = space;
        this.key = key;
        this.terms = state.terms;
        this.cell = cell;
        this.state = state;
    }

    Hold(Space space, String key, Terms stateless) {
        this.space = space;
        this.key = key;
        this.terms = stateless;
        this.cell = null;
        this.state = null;
    }

    Cell requireCell() {
        return Objects.requireNonNull(cell);
    }

    State requireState() {
        return Objects.requireNonNull(state);
    }

    long t() {
        return t;
    }

    boolean allowed() {
        return allowed;
    }

    long delay() {
        return delay;
    }

    /** Reads the time; everything below is as of it. */
    void arrive(Moment moment) {
        t = state == null ? 0 : state.at(moment.on(terms));
    }

    void judge(long permits) {
        judge(permits, 0);
    }

    /** As if so many more were asked for as are kept. */
    void judge(long permits, long kept) {
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
    void take() {
        if (state != null && permits > 0) {
            state.take(permits, t);
        }
    }

    /** Starts the lockout, if it was this limit that denied, and not only because of what is kept or held. */
    void deny() {
        if (state != null && !allowed && permits > 0 && !state.allowsWithoutHeld(permits, t)) {
            state.lock(t);
        }
    }

    Decision decision() {
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

    void release() {
        if (cell != null) {
            if (requireState().isFresh(requireState().last)) {
                space.remove(this);
            } else {
                cell.release(requireState());
            }
        }
    }
}
