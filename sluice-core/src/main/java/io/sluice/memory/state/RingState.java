package io.sluice.memory.state;

import io.sluice.exact.Exact;
import java.io.IOException;

/** Use that is stored as a list of entries, each marked with its time or its slot number. */
abstract class RingState extends State {
    final Ring entries = new Ring();

    RingState(ActiveLimit active) {
        super(active);
    }

    /** The mark of permits that are taken at t. */
    abstract long mark(long t);

    /** The lowest mark that still counts at t. */
    abstract long oldest(long t);

    /** Whether another state marks its entries in the same way. */
    abstract boolean marksAs(State other);

    @Override
    public int weight() {
        return entries.weight();
    }

    @Override
    boolean keepsWeight(long t) {
        return !entries.wouldResize(oldest(t), mark(t));
    }

    @Override
    public void take(long permits, long t) {
        entries.dropBelow(oldest(t));
        entries.add(mark(t), permits);
        changedAt(t);
    }

    @Override
    void giveBack(long permits, long t) {
        entries.dropBelow(oldest(t));
        entries.takeNewest(permits);
        changedAt(t);
    }

    @Override
    long maxUse() {
        return Exact.MAX_NUMBER;
    }

    /** By what it holds, not by the estimate of a counter: its sum must stay exact. */
    @Override
    public long takable(long permits, long t) {
        long held = entries.total() - entries.totalBelow(oldest(t));
        return Math.max(0, Math.min(permits, maxUse() - held));
    }

    /** A state with the one entry only: the entry is known, so older use does not matter. */
    @Override
    public State receipt(long permits) {
        State receipt = active.fresh();
        receipt.take(permits, last);
        return receipt;
    }

    /** The receipt before may have been a copy of the whole use. Of the one entry to which that was carried, it has its part only. */
    @Override
    public State asReceipt(long permits, State before) {
        return marksAs(before) ? this : receipt(Math.min(permits, use(last)));
    }

    /** Gives back to the entry of the receipt, and not to the newest ones: the others expire when they would have anyway. */
    @Override
    public void undo(State receipt, long permits, long part, long t) {
        Ring own = ((RingState) receipt).entries;
        boolean counts = own.size() > 0 && own.mark(0) >= oldest(t);
        if (counts && entries.takeFrom(own.mark(0), part)) {
            entries.dropBelow(oldest(t));
            changedAt(t);
        }
    }

    @Override
    boolean adopt(State other, long t) {
        if (!marksAs(other)) {
            return false;
        }
        entries.copy(((RingState) other).entries);
        entries.dropBelow(oldest(t));
        return true;
    }

    /** Oldest entry first: its age, then the distance from each entry to the next. */
    @Override
    void saveUse(StateOutput out) {
        out.number(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            out.number(i == 0 ? mark(last) - entries.mark(0) : entries.mark(i) - entries.mark(i - 1));
            out.number(entries.count(i));
        }
    }

    @Override
    void restoreUse(StateInput in) throws IOException {
        long ahead = 0;
        for (long left = in.number("entries", Integer.MAX_VALUE); left > 0; left--) {
            boolean first = entries.size() == 0;
            ahead = first ? in.number("age of an entry", Exact.MAX_TIME_SPAN) : ahead - in.number("next entry", ahead);
            entries.add(mark(last) - ahead, in.number("use", maxUse() - entries.total()));
        }
    }
}
