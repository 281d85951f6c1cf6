package io.sluice.memory.state;

import io.sluice.exact.Exact;
import java.io.IOException;

/** Use that is remembered as a list of entries, by their time or by the number of their slot. */
abstract class RingState extends State {
    final Ring entries = new Ring();

    RingState(Terms terms) {
        super(terms);
    }

    /** The mark of what is used at t. */
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
    public void take(long permits, long t) {
        entries.dropBelow(oldest(t));
        entries.add(mark(t), permits);
        changed(t);
    }

    @Override
    void giveBack(long permits, long t) {
        entries.dropBelow(oldest(t));
        entries.takeNewest(permits);
        changed(t);
    }

    @Override
    long most() {
        return Exact.MOST;
    }

    /** The entry alone: it is known which one it was, so older use is no part of it. */
    @Override
    public State receipt(long permits) {
        State receipt = terms.fresh();
        receipt.take(permits, last);
        return receipt;
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

    /** The oldest first: how far it lies behind now, then how far each lies before the next. */
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
            ahead = first ? in.number("age of an entry", Exact.FARTHEST) : ahead - in.number("next entry", ahead);
            entries.add(mark(last) - ahead, in.number("use", most() - entries.total()));
        }
    }
}
