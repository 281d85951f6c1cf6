package io.sluice;

/** The admissions within a sliding window; those of one microsecond are one entry with their sum. */
final class LogState extends State {
    private final Ring entries = new Ring();

    LogState(Terms terms) {
        super(terms);
    }

    private SlidingLog limit() {
        return (SlidingLog) terms.rule;
    }

    private long window() {
        return Exact.micros(limit().window());
    }

    /** The earliest time whose entries still count at t: an entry made at s is gone at s + window. */
    private long oldest(long t) {
        return t - window() + 1;
    }

    @Override
    long room(long t) {
        return terms.capacity - (entries.total() - entries.totalBelow(oldest(t)));
    }

    @Override
    long waitFor(long permits, long t) {
        long tooMany = entries.total() + permits - terms.capacity;
        for (int i = 0; tooMany > 0; i++) {
            tooMany -= entries.count(i);
            if (tooMany <= 0) {
                return Math.max(0, entries.mark(i) + window() - t);
            }
        }
        return 0;
    }

    @Override
    long unusedIn(long t) {
        return entries.size() == 0 ? 0 : Math.max(0, entries.mark(entries.size() - 1) + window() - t);
    }

    @Override
    void take(long permits, long t) {
        entries.dropBelow(oldest(t));
        entries.add(t, permits);
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

    @Override
    State receipt(long permits) {
        LogState receipt = new LogState(terms);
        receipt.take(permits, last);
        return receipt;
    }

    @Override
    boolean adopt(State other, long t) {
        if (!(other instanceof LogState old) || old.window() != window()) {
            return false;
        }
        entries.copy(old.entries);
        entries.dropBelow(oldest(t));
        return true;
    }
}
