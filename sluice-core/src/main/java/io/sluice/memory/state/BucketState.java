package io.sluice.memory.state;

import io.sluice.exact.Amount;
import io.sluice.exact.Exact;
import java.io.IOException;

/*
 * A token bucket that refills continuously and a leaky bucket are the same thing seen from two sides: permits in use
 * that drain at a constant rate. The tokens are the capacity less the use. The level of the leaky bucket is the use.
 */
/** The use of a greedy token bucket, or the level of a leaky bucket, at the time of the latest change. */
final class BucketState extends State {
    private long whole;
    private long part;

    BucketState(ActiveLimit active) {
        super(active);
    }

    /** A state with that amount in use at t. */
    BucketState(ActiveLimit active, Amount used, long t) {
        super(active);
        set(used, t);
    }

    Amount used(long t) {
        return active.rate.drain(new Amount(whole, part), t - last);
    }

    /** The units in use at t, for limits whose amounts fit a word. Amounts would be garbage in each decision. */
    private long units(long t) {
        long idle = t - last;
        return idle > Exact.MAX_MICROS
                ? 0
                : Math.max(0, whole * active.unitsPerPermit + part - idle * active.unitsPerMicro);
    }

    private void setUnits(long units, long t) {
        whole = units / active.unitsPerPermit;
        part = units % active.unitsPerPermit;
        changedAt(t);
    }

    private void set(Amount used, long t) {
        whole = used.whole();
        part = used.part();
        changedAt(t);
    }

    @Override
    long available(long t) {
        long used = active.inAWord ? Exact.divUp(units(t), active.unitsPerPermit) : used(t).roundedUp();
        return active.capacity - used;
    }

    @Override
    long waitFor(long permits, long t) {
        // Wait until the use has fallen to the capacity less the permits.
        if (active.inAWord) {
            long tooMany = units(t) - (active.capacity - permits) * active.unitsPerPermit;
            return tooMany <= 0 ? 0 : Exact.divUp(tooMany, active.unitsPerMicro);
        }
        return active.rate.timeFor(active.rate.minus(used(t), new Amount(active.capacity - permits, 0)));
    }

    @Override
    long timeUntilUnused(long t) {
        return active.inAWord ? Exact.divUp(units(t), active.unitsPerMicro) : active.rate.timeFor(used(t));
    }

    @Override
    long timeUntilLight(long t) {
        Amount tenth = new Amount(active.capacity / 10, active.capacity % 10 * active.rate.unitsPerPermit() / 10);
        return active.rate.timeFor(active.rate.minus(used(t), tenth));
    }

    @Override
    public long delay(long t) {
        return active.leaky ? timeUntilUnused(t) : 0;
    }

    @Override
    public long waitToUse(long permits, long t) {
        return active.leaky ? timeUntilUnused(t) : waitFor(permits, t);
    }

    @Override
    public void advance(long t) {
        set(used(t), t);
    }

    @Override
    public void take(long permits, long t) {
        if (active.inAWord) {
            setUnits(units(t) + permits * active.unitsPerPermit, t);
            return;
        }
        set(used(t).plus(permits), t);
    }

    @Override
    void giveBack(long permits, long t) {
        giveBack(new Amount(permits, 0), t);
    }

    private void giveBack(Amount amount, long t) {
        set(active.rate.minus(used(t), amount), t);
        if (lastGiveBack() != null) {
            noteGiveBack(receipt(0));
        }
    }

    @Override
    long maxUse() {
        return active.rate.maxUse();
    }

    /** A copy of the whole use right after: older use drains first, so these permits drain last. */
    @Override
    public State receipt(long permits) {
        return new BucketState(active, new Amount(whole, part), last);
    }

    @Override
    public void cancel(State receipt, long permits, long t) {
        Amount unused = ((BucketState) receipt).used(t).atMost(permits);
        if (!unused.isZero() && timeUntilUnused(t) > 0) {
            giveBack(unused, t);
        }
    }

    @Override
    public boolean usesLessThan(State receipt) {
        Amount mine = used(last);
        Amount other = ((BucketState) receipt).used(receipt.notBeforeLast(last));
        return mine.whole() < other.whole() || (mine.whole() == other.whole() && mine.part() < other.part());
    }

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof BucketState bucket) || other.active.leaky != active.leaky) {
            return false;
        }
        set(active.rate.convert(bucket.used(t), other.active.rate).atMost(maxUse()), t);
        return true;
    }

    @Override
    void saveUse(StateOutput out) {
        out.number(whole);
        out.number(part);
    }

    @Override
    void restoreUse(StateInput in) throws IOException {
        whole = in.number("use", maxUse());
        part = in.number("part of a permit", active.rate.unitsPerPermit() - 1);
    }
}
