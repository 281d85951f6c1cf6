package io.sluice.memory.state;

import io.sluice.exact.Amount;
import java.io.IOException;

/*
 * A token bucket that refills continuously, and a leaky bucket, are the same thing seen from two sides: permits in use
 * that drain at a constant rate. Tokens are the capacity less the use; the level of the queue is the use.
 */
/** The use of a greedy token bucket, or the level of a leaky bucket, as of the time of the latest change. */
final class BucketState extends State {
    private long whole;
    private long part;

    BucketState(Terms terms) {
        super(terms);
    }

    /** With so much in use at t. */
    BucketState(Terms terms, Amount used, long t) {
        super(terms);
        set(used, t);
    }

    Amount used(long t) {
        return terms.rate.drain(new Amount(whole, part), t - last);
    }

    private void set(Amount used, long t) {
        whole = used.whole();
        part = used.part();
        changed(t);
    }

    @Override
    long room(long t) {
        return terms.capacity - used(t).up();
    }

    @Override
    long waitFor(long permits, long t) {
        // Until no more is in use than leaves room for the permits.
        return terms.rate.timeFor(terms.rate.minus(used(t), new Amount(terms.capacity - permits, 0)));
    }

    @Override
    long unusedIn(long t) {
        return terms.rate.timeFor(used(t));
    }

    @Override
    long lightIn(long t) {
        Amount tenth = new Amount(terms.capacity / 10, terms.capacity % 10 * terms.rate.permit() / 10);
        return terms.rate.timeFor(terms.rate.minus(used(t), tenth));
    }

    @Override
    public long delay(long t) {
        return terms.leaky ? unusedIn(t) : 0;
    }

    @Override
    public long waitToUse(long permits, long t) {
        return terms.leaky ? unusedIn(t) : waitFor(permits, t);
    }

    @Override
    public void advance(long t) {
        set(used(t), t);
    }

    @Override
    public void take(long permits, long t) {
        set(used(t).plus(permits), t);
    }

    @Override
    void giveBack(long permits, long t) {
        giveBack(new Amount(permits, 0), t);
    }

    private void giveBack(Amount amount, long t) {
        set(terms.rate.minus(used(t), amount), t);
        if (lastGiveBack() != null) {
            noteGiveBack(receipt(0));
        }
    }

    @Override
    long most() {
        return terms.rate.most();
    }

    /** The whole use right after: what came before drains first, so time gives back these permits last. */
    @Override
    public State receipt(long permits) {
        return new BucketState(terms, new Amount(whole, part), last);
    }

    @Override
    public void cancel(State receipt, long permits, long t) {
        Amount unused = ((BucketState) receipt).used(t).atMost(permits);
        if (!unused.isZero() && unusedIn(t) > 0) {
            giveBack(unused, t);
        }
    }

    @Override
    public boolean isLessThan(State receipt) {
        Amount mine = used(last);
        Amount other = ((BucketState) receipt).used(receipt.at(last));
        return mine.whole() < other.whole() || (mine.whole() == other.whole() && mine.part() < other.part());
    }

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof BucketState bucket) || other.terms.leaky != terms.leaky) {
            return false;
        }
        set(terms.rate.convert(bucket.used(t), other.terms.rate).atMost(most()), t);
        return true;
    }

    @Override
    void saveUse(StateOutput out) {
        out.number(whole);
        out.number(part);
    }

    @Override
    void restoreUse(StateInput in) throws IOException {
        whole = in.number("use", most());
        part = in.number("part of a permit", terms.rate.permit() - 1);
    }
}
