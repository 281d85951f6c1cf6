package io.sluice.memory.state;

import io.sluice.SlidingLog;
import io.sluice.exact.Exact;

/** The admissions within a sliding window; those of one microsecond are one entry with their sum. */
final class LogState extends RingState {
    LogState(Terms terms) {
        super(terms);
    }

    private long window() {
        return Exact.micros(((SlidingLog) terms.rule).window());
    }

    @Override
    long mark(long t) {
        return t;
    }

    /** An entry made at s is gone at s + window. */
    @Override
    long oldest(long t) {
        return t - window() + 1;
    }

    @Override
    boolean marksAs(State other) {
        return other instanceof LogState log && log.window() == window();
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
}
