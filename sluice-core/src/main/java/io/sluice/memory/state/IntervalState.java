package io.sluice.memory.state;

import io.sluice.TokenBucket;
import io.sluice.exact.Exact;
import java.io.IOException;

/** The use of a token bucket with interval refill: the permits of a period are added at its end. */
final class IntervalState extends State {

    /** Whole permits in use. The refills of all periods from {@link #anchor} to the latest change are subtracted. */
    private long used;

    /** The start of the current period. Without meaning while nothing is used. */
    private long anchor;

    IntervalState(ActiveLimit active) {
        super(active);
    }

    private TokenBucket limit() {
        return (TokenBucket) active.rule;
    }

    private long period() {
        return Exact.micros(limit().period());
    }

    private long used(long t) {
        long periods = (t - anchor) / period();
        return periods >= periodsFor(used) ? 0 : used - periods * limit().permits();
    }

    /** The start of the period that contains t. */
    private long periodStart(long t) {
        return anchor + (t - anchor) / period() * period();
    }

    private long periodsFor(long permits) {
        return Exact.divUp(permits, limit().permits());
    }

    @Override
    long available(long t) {
        return active.capacity - used(t);
    }

    @Override
    long waitFor(long permits, long t) {
        long tooMany = used - (active.capacity - permits);
        return tooMany <= 0 ? 0 : Math.max(0, anchor + periodsFor(tooMany) * period() - t);
    }

    @Override
    long timeUntilUnused(long t) {
        return used == 0 ? 0 : Math.max(0, anchor + periodsFor(used) * period() - t);
    }

    @Override
    public void take(long permits, long t) {
        advance(t);
        if (used == 0) {
            anchor = t;
        }
        used += permits;
        changedAt(t);
    }

    @Override
    void giveBack(long permits, long t) {
        advance(t);
        used = Math.max(0, used - permits);
        changedAt(t);
        if (lastGiveBack() != null) {
            noteGiveBack(receipt(0));
        }
    }

    @Override
    public void advance(long t) {
        used = used(t);
        anchor = periodStart(t);
        changedAt(t);
    }

    @Override
    long maxUse() {
        return Math.min(Exact.mulDivSaturated(Exact.MAX_MICROS / period(), limit().permits(), 1), Exact.MAX_DEBT);
    }

    @Override
    public State receipt(long permits) {
        IntervalState receipt = new IntervalState(active);
        receipt.copy(this);
        receipt.changedAt(last);
        return receipt;
    }

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof IntervalState interval) || interval.period() != period()) {
            return false;
        }
        used = Math.min(interval.used(t), maxUse());
        anchor = interval.periodStart(t);
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
        used = in.number("use", maxUse());
        anchor = last - in.number("time since the anchor", Exact.MAX_TIME_SPAN);
    }
}
