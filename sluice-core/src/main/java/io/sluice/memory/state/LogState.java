package io.sluice.memory.state;

/** The admitted requests of a sliding log. Requests of the same microsecond share one entry, with their sum. */
final class LogState extends RingState {
    LogState(ActiveLimit active) {
        super(active);
    }

    private long window() {
        return active.windowMicros;
    }

    @Override
    long mark(long t) {
        return t;
    }

    /** An entry made at s is removed at s + window. */
    @Override
    long oldest(long t) {
        return t - window() + 1;
    }

    @Override
    boolean marksAs(State other) {
        return other instanceof LogState log && log.window() == window();
    }

    @Override
    public void take(long permits, long t) {
        super.take(permits, t);
        // In debt, a log would grow with each charge.
        entries.keepNewest(active.capacity);
    }

    @Override
    long available(long t) {
        return active.capacity - (entries.total() - entries.totalBelow(oldest(t)));
    }

    @Override
    long waitFor(long permits, long t) {
        long tooMany = entries.total() + permits - active.capacity;
        for (int i = 0; tooMany > 0; i++) {
            tooMany -= entries.count(i);
            if (tooMany <= 0) {
                return Math.max(0, entries.mark(i) + window() - t);
            }
        }
        return 0;
    }

    @Override
    long timeUntilUnused(long t) {
        return entries.size() == 0 ? 0 : Math.max(0, entries.mark(entries.size() - 1) + window() - t);
    }
}
