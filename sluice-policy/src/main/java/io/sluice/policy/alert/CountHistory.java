package io.sluice.policy.alert;

import io.sluice.policy.Counts;
import java.util.ArrayDeque;

/*
 * Counters only grow, so what came within a time is the difference of two readings: the one now and the one nearest to
 * when that time began. Readings come about once a second. A time of up to ten minutes keeps them all; of a longer one,
 * as many are kept, further apart, so that its beginning is right to within a 1200th.
 */
/** Readings of cumulative counts, looking back on a time. Not thread-safe. */
final class CountHistory {
    private static final long SECOND = 1_000_000;
    private static final long MOST = 600;

    /** Beyond any uptime, and far from where times would overflow. */
    private static final long LONGEST = Long.MAX_VALUE / 4;

    private record Sample(long at, Counts counts) {}

    private final long over;
    private final long step;
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    /** Begins to look back, to now. */
    CountHistory(long overMicros, long now, Counts counts) {
        over = Math.min(overMicros, LONGEST);
        step = Math.max(SECOND, over / MOST);
        samples.add(new Sample(now, counts));
    }

    /** Takes a reading and returns what came within the time before it, or since the first reading if that is less. */
    Counts add(long now, Counts counts) {
        long start = now - over;
        Sample first = samples.remove();
        for (Sample second = samples.peek();
                second != null && second.at - start <= start - first.at;
                second = samples.peek()) {
            first = samples.remove();
        }
        samples.addFirst(first);
        // Half a second of grace, since readings do not come on the dot.
        if (now - samples.getLast().at >= step - SECOND / 2) {
            samples.add(new Sample(now, counts));
        }
        return counts.since(first.counts);
    }

    /** Whether the readings reach back over the whole time. */
    boolean isWhole(long now) {
        return now - samples.getFirst().at >= over - SECOND / 2;
    }

    int size() {
        return samples.size();
    }
}
