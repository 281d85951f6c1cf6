package io.sluice.memory.state;

import io.sluice.TokenBucket;
import io.sluice.exact.Exact;
import java.io.IOException;

/** The use of a token bucket that gets the permits of a period at its end. */
final class IntervalState extends State {

    /** Whole permits in use since {@link #anchor}; its periods before the latest change are accounted for. */
    private long used;

    /** Where the current period started; of no meaning while nothing is used. */
    private long anchor;

    IntervalState(Terms terms) {
        super(terms);
    }

    private TokenBucket limit() {
        return (TokenBucket) terms.rule;
    }

    private long period() {
        return Exact.micros(limit().period());
    }

    private long used(long t) {
        long periods = (t - anchor) / period();
        return periods >= periodsFor(used) ? 0 : used - periods * limit().permits();
    }

    /** Where the period of that time started. */
    private long begun(long t) {
        return anchor + (t - anchor) / period() * period();
    }

    private long periodsFor(long permits) {
        return Exact.divUp(permits, limit().permits());
    }

    @Override
    long room(long t) {
        return terms.capacity - used(t);
    }

    @Override
    long waitFor(long permits, long t) {
        long tooMany = used - (terms.capacity - permits);
        return tooMany <= 0 ? 0 : Math.max(0, anchor + periodsFor(tooMany) * period() - t);
    }

    @Override
    long unusedIn(long t) {
        return used == 0 ? 0 : Math.max(0, anchor + periodsFor(used) * period() - t);
    }

    @Override
    public void take(long permits, long t) {
        advance(t);
        if (used == 0) {
            anchor = t;
        }
        used += permits;
        changed(t);
    }

    @Override
    void giveBack(long permits, long t) {
        advance(t);
        used = Math.max(0, used - permits);
        changed(t);
        if (lastGiveBack() != null) {
            noteGiveBack(receipt(0));
        }
    }

    @Override
    public void advance(long t) {
        used = used(t);
        anchor = begun(t);
        changed(t);
    }

    @Override
    long most() {
        return Math.min(Exact.mulDivSaturated(Exact.LONGEST / period(), limit().permits(), 1), Exact.MOST_OWED);
    }

    @Override
    public State receipt(long permits) {
        IntervalState receipt = new IntervalState(terms);
        receipt.copy(this);
        receipt.changed(last);
        return receipt;
    }

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof IntervalState interval) || interval.period() != period()) {
            return false;
        }
        used = Math.min(interval.used(t), most());
        anchor = interval.begun(t);
        return true;
    }

    private void copy(IntervalState other) {
        used = other.used;
        anchor = other.anchor;
    }

    @Override
    void saveUse(StateOutput out) {
        out.number(used);
        out.number(used == 0 ? 0 : last - anchor);
    }

    @Override
    void restoreUse(StateInput in) throws IOException {
        used = in.number("use", most());
        anchor = last - in.number("time since the anchor", Exact.FARTHEST);
    }
}
