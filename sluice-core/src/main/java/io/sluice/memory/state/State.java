package io.sluice.memory.state;

import io.sluice.Decision;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/*
 * An algorithm is what a key remembers and a handful of questions about it. Everything that decides is built on one of
 * them: room(t), the whole permits that are free at t. A request for n is allowed iff n <= room(t), for every algorithm.
 * Looking never changes anything, not even the time that is remembered; taking does, and is only done when every limit
 * of a request has allowed it.
 *
 * A state is at the same time the cell that guards it: one word less for each of millions of keys.
 */
/** What one key has used of one limit. Only touched under its own hold, or before it is published. */
public abstract class State extends Cell {
    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final int DROPPED = 2;
    private static final int GUARD_BITS = 2;
    private static final int GUARD_MASK = (1 << GUARD_BITS) - 1;

    private static final VarHandle GUARD;

    static {
        try {
            GUARD = MethodHandles.lookup().findVarHandle(State.class, "guard", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Who may touch it, in the lowest bits, and above them the number of the key's {@link #life}. */
    private volatile int guard;

    /** What few keys have, so that it costs the others a reference only. */
    private @Nullable Notes notes;

    /** The time of the latest change. */
    public long last;

    /**
     * @param lockedUntil when the running or last lockout ends
     * @param pausedUntil when the running or last pause ends
     * @param lastGiveBack where the next receipt begins to read
     * @param held permits that were taken and may still be given back: who is denied only because of them is not locked out
     */
    private record Notes(
            long lockedUntil, long pausedUntil, @Nullable GiveBack lastGiveBack, long held) {
        static final Notes NONE = new Notes(Long.MIN_VALUE, Long.MIN_VALUE, null, 0);

        Notes lockedUntil(long until) {
            return new Notes(until, pausedUntil, lastGiveBack, held);
        }

        Notes pausedUntil(long until) {
            return new Notes(lockedUntil, until, lastGiveBack, held);
        }

        Notes lastGiveBack(@Nullable GiveBack note) {
            return new Notes(lockedUntil, pausedUntil, note, held);
        }

        Notes held(long permits) {
            return new Notes(lockedUntil, pausedUntil, lastGiveBack, permits);
        }

        /** Until when everything is denied. */
        long deniedUntil() {
            return Math.max(lockedUntil, pausedUntil);
        }
    }

    private Notes notes() {
        return notes == null ? Notes.NONE : notes;
    }

    final @Nullable GiveBack lastGiveBack() {
        return notes().lastGiveBack();
    }

    final void setLastGiveBack(@Nullable GiveBack note) {
        if (note != lastGiveBack()) {
            notes = notes().lastGiveBack(note);
        }
    }

    /** Where a receipt for what was just taken begins to read. */
    public final GiveBack beginReceipt() {
        GiveBack begin = lastGiveBack();
        if (begin == null) {
            begin = new GiveBack(null);
            setLastGiveBack(begin);
        }
        return begin;
    }

    /** Leaves a note for the receipts, if there are any: for use that time gives back bit by bit. */
    final void noteGiveBack(State left) {
        GiveBack note = lastGiveBack();
        if (note != null) {
            setLastGiveBack(note.then(left));
        }
    }

    State(Terms terms) {
        super(terms);
    }

    /** Whole permits that are free at t; negative in debt. */
    abstract long room(long t);

    /** The least microseconds after which so many are free, if nothing else came; for permits up to the capacity. */
    abstract long waitFor(long permits, long t);

    /** The least microseconds after which nothing is used any more, if nothing else came. */
    abstract long unusedIn(long t);

    /** Uses permits, whether they are free or not. */
    public abstract void take(long permits, long t);

    /** Undoes use, the newest first, never beyond fresh. */
    abstract void giveBack(long permits, long t);

    /** How much may be used at most, debt included. */
    abstract long most();

    /** What remembers, by itself, the use that was made last: for {@link #cancel}. */
    public abstract State receipt(long permits);

    /** Whole permits of a receipt that time has not yet given back by itself. */
    long stillUsed(long t) {
        return use(t);
    }

    /** Takes over the use of another state of the same kind as it is; false if it is of another kind. */
    abstract boolean adopt(State other, long t);

    /** Brings the state to t, so that the time of the latest change may be t without anything being lost. */
    public void advance(long t) {
        changed(t);
    }

    /** How long a request that is allowed at t is to wait. */
    public long delay(long t) {
        return 0;
    }

    /** How long to wait before permits that are taken now may be used; for those that can be. */
    public long waitToUse(long permits, long t) {
        return waitFor(permits, t);
    }

    /** Gives back what is still unused of permits that were taken with a receipt. */
    public void cancel(State receipt, long permits, long t) {
        refund(Math.min(permits, receipt.stillUsed(t)), t);
    }

    /** {@link #giveBack}, if there is anything: giving back nothing changes nothing. */
    public final void refund(long permits, long t) {
        if (permits > 0 && unusedIn(t) > 0) {
            giveBack(permits, t);
        }
    }

    /** Whole permits in use, rounded up. */
    final long use(long t) {
        return terms.capacity - room(t);
    }

    /** As how many keys more it counts because of its size, where that is counted. */
    public int weight() {
        return 0;
    }

    /** The least microseconds after which no more than a tenth of the limit is used, if nothing else came. */
    long lightIn(long t) {
        return waitFor(terms.capacity - terms.capacity / 10, t);
    }

    /** How it stands, for the {@link Evictor}. */
    public final Standing standing(long t) {
        long rest = lockRest(t);
        if (rest > 0) {
            return new Standing(Standing.SHUT, Math.max(rest, lightIn(t)), last);
        } else if (unusedIn(t) == 0) {
            return Standing.FRESH;
        } else if (room(t) <= 0) {
            return new Standing(Standing.USED_UP, lightIn(t), last);
        }
        return Standing.partly(Exact.mulDivUp(use(t), 100, terms.capacity), lightIn(t), last);
    }

    /** Whether less is used than of a receipt of the same terms, at the time of this state. */
    public boolean isLessThan(State receipt) {
        return use(last) < receipt.use(receipt.at(last));
    }

    /** As many of the permits as may still be taken by force. */
    public final long takable(long permits, long t) {
        return Math.max(0, Math.min(permits, most() - use(t)));
    }

    /** Time never goes back within a key. */
    public final long at(long t) {
        return Math.max(t, last);
    }

    public final void changed(long t) {
        last = t;
    }

    /** How long everything is still denied, by a lockout or a pause. */
    public final long lockRest(long t) {
        return notes == null || notes.deniedUntil() <= t ? 0 : notes.deniedUntil() - t;
    }

    /** How long the key is still paused. */
    public final long pauseRest(long t) {
        return notes == null || notes.pausedUntil() <= t ? 0 : notes.pausedUntil() - t;
    }

    /** Denies everything until so many microseconds from t, or longer if it is paused for longer already. */
    public final void pause(long micros, long t) {
        notes = notes().pausedUntil(Math.max(notes().pausedUntil(), t + micros));
        advance(t);
    }

    /** Whether the key is paused at the time of its latest change. */
    final boolean isPaused() {
        return pauseRest(last) > 0;
    }

    public final boolean allows(long permits, long t) {
        return permits <= room(t) && lockRest(t) == 0;
    }

    /** Notes that so many more, or fewer, may still be given back. */
    public final void holdMore(long permits) {
        notes = notes().held(Math.max(0, notes().held() + permits));
    }

    /** Whether so many would be allowed if nothing were held. */
    public final boolean allowsWithoutHeld(long permits, long t) {
        return lockRest(t) == 0 && permits <= room(t) + notes().held();
    }

    /** Starts the lockout, if the limit has one and it is not running already. */
    public final void lock(long t) {
        if (terms.lockoutMicros > 0 && lockRest(t) == 0) {
            notes = notes().lockedUntil(t + terms.lockoutMicros);
            advance(t);
        }
    }

    public final boolean isFresh(long t) {
        return lockRest(t) == 0 && unusedIn(t) == 0;
    }

    /** What the key is told after the request was judged and perhaps taken. */
    public final Decision decision(boolean allowed, long permits, long kept, long delay, long t) {
        long rest = lockRest(t);
        long remaining = rest > 0 ? 0 : Math.max(0, room(t) - kept);
        long reset = Math.max(unusedIn(t), rest);
        return allowed
                ? Decision.allowed(remaining, delay, reset)
                : Decision.denied(remaining, retryAfter(Exact.sum(permits, kept), t), reset);
    }

    final long retryAfter(long permits, long t) {
        return permits > terms.capacity ? Decision.NEVER : Math.max(waitFor(permits, t), lockRest(t));
    }

    /** This state under the terms that came next, as of the moment when they came; null if there is nothing to keep. */
    public final @Nullable State convert(Terms next) {
        long ended = terms.endedAt();
        boolean keeps = (terms.stateful && next.stateful) || pauseRest(at(ended)) > 0;
        return keeps ? convert(next, ended, next.since) : null;
    }

    /**
     * This state under other terms, as of one moment; null if there is nothing to keep. Stays as it is itself.
     *
     * @param ended the moment on the clock of this state's terms
     * @param since the moment on the clock of the others
     */
    public final @Nullable State convert(Terms next, long ended, long since) {
        long then = at(ended);
        State converted = next.fresh();
        // The new limit may live by the other clock.
        long now = terms.aligned == next.aligned ? then : then - ended + since;
        if (!converted.adopt(this, then)) {
            long use = Math.min(use(then), converted.most());
            if (use > 0) {
                converted.take(use, now);
            }
        }
        // A lockout belongs to the limit, a pause to the key.
        boolean locked = next.lockoutMicros > 0 && notes().lockedUntil() > then;
        boolean paused = pauseRest(then) > 0;
        if (locked || paused || lastGiveBack() != null || notes().held() > 0) {
            converted.notes = new Notes(
                    locked ? now + notes().lockedUntil() - then : Long.MIN_VALUE,
                    paused ? now + pauseRest(then) : Long.MIN_VALUE,
                    lastGiveBack(),
                    notes().held());
        }
        converted.changed(now);
        return converted.isFresh(now) ? null : converted;
    }

    /** Writes all that a later decision depends on, with times relative to that one. Receipts are not part of it. */
    public final void save(StateOutput out, long base) {
        out.signed(last - base);
        long lockedUntil = notes().lockedUntil();
        out.number(lockedUntil > last ? lockedUntil - last : 0);
        out.number(pauseRest(last));
        saveUse(out);
    }

    /** Reads what {@link #save} wrote, into a fresh state. */
    public final void restore(StateInput in, long base) throws IOException {
        changed(base + in.signed("time", Exact.FARTHEST));
        long lockRest = in.number("lockout", terms.lockoutMicros > 0 ? Exact.MOST : 0);
        if (lockRest > 0) {
            notes = notes().lockedUntil(last + lockRest);
        }
        long pauseRest = in.hasPauses() ? in.number("pause", Exact.LONGEST) : 0;
        if (pauseRest > 0) {
            notes = notes().pausedUntil(last + pauseRest);
        }
        restoreUse(in);
    }

    /** The use, with times relative to {@link #last}. */
    abstract void saveUse(StateOutput out);

    abstract void restoreUse(StateInput in) throws IOException;

    @Override
    public final @Nullable State hold(TimeSource time) {
        for (int attempt = 0; ; attempt++) {
            if (tryHold(time) != null) {
                return this;
            }
            if ((guard & GUARD_MASK) == DROPPED) {
                return null;
            }
            Backoff.pause(attempt);
        }
    }

    @Override
    public final @Nullable State tryHold(TimeSource time) {
        return tryHold() ? this : null;
    }

    private boolean tryHold() {
        int seen = guard;
        return (seen & GUARD_MASK) == FREE && GUARD.compareAndSet(this, seen, seen | HELD);
    }

    /** Begins a life, held, before anybody else can see it. */
    public final void begin(int life) {
        guard = (life << GUARD_BITS) | HELD;
    }

    @Override
    public final int life() {
        return guard >>> GUARD_BITS;
    }

    @Override
    public final void release(State state) {
        GUARD.setRelease(this, (guard & ~GUARD_MASK) | FREE);
    }

    @Override
    public final void drop() {
        GUARD.setRelease(this, (guard & ~GUARD_MASK) | DROPPED);
    }

    @Override
    public final long freshIn(TimeSource time) {
        if (tryHold(time) == null) {
            return Long.MAX_VALUE;
        }
        long t = at(terms.now(time));
        long micros = Math.max(unusedIn(t), lockRest(t));
        release(this);
        return micros;
    }

    @Override
    public final @Nullable Standing standing(Moment moment) {
        if (!tryHold()) {
            return null;
        }
        Standing standing = standing(at(moment.on(terms)));
        release(this);
        return standing;
    }
}
