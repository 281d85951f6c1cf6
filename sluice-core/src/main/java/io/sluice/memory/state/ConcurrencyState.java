package io.sluice.memory.state;

import io.sluice.AdaptiveConcurrency;
import io.sluice.Decision;
import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/*
 * Permits are held, not used up. So the state takes none by number: it enters, renews and leaves holds by their ids. A hold that
 * was made or renewed at s lapses at exactly s plus the hold of the limit. An update changes no lapse: it counts from the next
 * renewal on.
 */
/** The permits that a key holds, of a limit of concurrency. */
public final class ConcurrencyState extends State {
    /** A denial whose details nobody asks for. */
    private static final Decision DENIED_ENTRY = Decision.denied(0, 0, 0);

    private final Holds holds;
    private final Inflight inflight;

    ConcurrencyState(ActiveLimit active) {
        super(active);
        holds = new Holds(active.rule instanceof AdaptiveConcurrency);
        inflight = active.newInflight();
    }

    // --- holds, by their ids ---

    /** Holds a permit, whether one is free or not. */
    public void enter(long id, long t) {
        holds.dropLapsed(t);
        holds.trim();
        holds.add(id, t + active.holdMicros, inflight.entered(t, holds.size()));
        changedAt(t);
    }

    /** Whether a permit is held. */
    public boolean isHeld(long id, long t) {
        int slot = holds.find(id);
        return slot != Holds.NONE && holds.lapse(slot) > t;
    }

    /** Holds a permit for the full time from t on. Returns false, and does nothing, if it is not held. */
    public boolean renew(long id, long t) {
        if (!isHeld(id, t)) {
            return false;
        }
        holds.renew(holds.find(id), t + active.holdMicros);
        changedAt(t);
        return true;
    }

    /** Gives a permit back. Returns false, and does nothing, if it is not held. */
    public boolean leave(long id, boolean dropped, long t) {
        if (!isHeld(id, t)) {
            return false;
        }
        removeHeld(holds.find(id), dropped, t);
        holds.dropLapsed(t);
        holds.trim();
        return true;
    }

    private void removeHeld(int slot, boolean dropped, long t) {
        inflight.left(t, holds.entered(slot), dropped, held(t));
        holds.remove(slot);
        changedAt(t);
    }

    // --- the same for one key under one limit that does not change meanwhile; all else is decided by LockedKey ---

    /**
     * Holds a permit if one is free.
     *
     * @return the decision, without details if it is denied; null if {@link #GONE}
     */
    public @Nullable Decision tryEnter(long id, TimeSource time) {
        long t = beginAlone(time);
        if (t == NO_TIME) {
            return null;
        }
        Decision decision = DENIED_ENTRY;
        if (allows(1, t)) {
            if (holds.wouldGrow(held(t))) {
                unlock(this);
                return null;
            }
            enter(id, t);
            decision = decision(true, 1, 0, 0, t);
        }
        unlock(this);
        return decision;
    }

    /** Gives a permit back, if it is held. Returns {@link #ALLOWED} if it was, {@link #DENIED} if not, or {@link #GONE}. */
    public int leave(long id, boolean dropped, TimeSource time) {
        long t = beginAlone(time);
        if (t == NO_TIME) {
            return GONE;
        }
        boolean held = isHeld(id, t);
        if (held) {
            removeHeld(holds.find(id), dropped, t);
        }
        unlock(this);
        return held ? ALLOWED : DENIED;
    }

    // --- questions ---

    private int held(long t) {
        return holds.size() - lapsed(t);
    }

    private int lapsed(long t) {
        int lapsed = 0;
        for (int slot = holds.first(); slot != Holds.NONE && holds.lapse(slot) <= t; slot = holds.next(slot)) {
            lapsed++;
        }
        return lapsed;
    }

    @Override
    long available(long t) {
        return inflight.number(t) - held(t);
    }

    @Override
    long use(long t) {
        return held(t);
    }

    @Override
    long waitFor(long permits, long t) {
        long tooMany = permits - available(t);
        if (tooMany <= 0) {
            return 0;
        }
        // More than the present number of an adaptive limit: nobody knows when that will be higher.
        long wait = Math.max(timeUntilLastLapse(t), active.holdMicros);
        for (int slot = holds.first(); slot != Holds.NONE; slot = holds.next(slot)) {
            if (holds.lapse(slot) > t && --tooMany == 0) {
                wait = holds.lapse(slot) - t;
                break;
            }
        }
        long afterwards = inflight.timeUntilAfterwards(t);
        return afterwards > 0 && held(t) + permits <= inflight.numberAfterwards() ? Math.min(wait, afterwards) : wait;
    }

    @Override
    long timeUntilUnused(long t) {
        // What an adaptive limit has found is use too: it is forgotten some time after the last change.
        long remembered = inflight.rememberedMicros();
        long until = timeUntilLastLapse(t);
        return remembered == 0 || last == 0 ? until : Math.max(until, last + remembered - t);
    }

    private long timeUntilLastLapse(long t) {
        return holds.size() == 0 ? 0 : Math.max(0, holds.lastLapse() - t);
    }

    @Override
    public int weight() {
        return holds.weight();
    }

    @Override
    boolean keepsWeight(long t) {
        return !holds.isSparse(held(t));
    }

    @Override
    public long keptNow(long kept, long t) {
        return inflight.kept(kept, t);
    }

    // --- what is counted by number: nothing ---

    @Override
    public void take(long permits, long t) {
        throw new IllegalStateException(
                active.limit + ": permits are held, not taken (expected: a check for holds before)");
    }

    /** Nothing is held that was used under a limit of another kind. */
    @Override
    void carry(long use, long t) {}

    /** What is held is not used under a limit of another kind. */
    @Override
    long useToCarry(long t) {
        return 0;
    }

    @Override
    void giveBack(long permits, long t) {}

    @Override
    long maxUse() {
        return Exact.MAX_NUMBER;
    }

    @Override
    public long takable(long permits, long t) {
        return 0;
    }

    @Override
    public State receipt(long permits) {
        return active.fresh();
    }

    @Override
    public void cancel(State receipt, long permits, long t) {}

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof ConcurrencyState old)) {
            return false;
        }
        holds.addAll(old.holds, t);
        inflight.adopt(old.inflight);
        return true;
    }

    /** The hold that lapses first first: the time until then, from one to the next, how long ago it was entered, and its id. */
    @Override
    void saveUse(StateOutput out) {
        out.number(held(last));
        long before = last;
        for (int slot = holds.first(); slot != Holds.NONE; slot = holds.next(slot)) {
            if (holds.lapse(slot) > last) {
                out.number(holds.lapse(slot) - before);
                long entered = Inflight.enteredAt(holds.entered(slot));
                out.number(entered == 0 ? 0 : last - entered);
                out.number(holds.id(slot) >>> Integer.SIZE);
                out.number(holds.id(slot) & 0xffff_ffffL);
                before = holds.lapse(slot);
            }
        }
    }

    @Override
    void restoreUse(StateInput in) throws IOException {
        long before = last;
        for (long left = in.number("holds", Integer.MAX_VALUE); left > 0; left--) {
            before += in.number("lapse of a hold", Exact.MAX_MICROS);
            long entered = last - in.number("age of a hold", Exact.MAX_TIME_SPAN);
            long id = in.number("id of a hold", 0xffff_ffffL) << Integer.SIZE | in.number("id of a hold", 0xffff_ffffL);
            if (id != 0 && holds.find(id) == Holds.NONE) {
                holds.add(id, before, entered << 1);
            }
        }
    }
}
