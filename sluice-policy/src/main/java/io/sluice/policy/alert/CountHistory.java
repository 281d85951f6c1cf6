package io.sluice.policy.alert;

import io.sluice.policy.Counts;
import java.util.ArrayDeque;

/*
 * Counters only grow. So the count over a period is the difference of two readings: the one now, and the one nearest to
 * the start of the period. Readings come about once a second. For a period of up to ten minutes, all readings are kept.
 * For a longer period, the same number is kept, further apart, so that the start of the period is exact to a 1200th.
 */
/** The readings of cumulative counts over a period. Not thread-safe. */
final class CountHistory {
    private static final long SECOND = 1_000_000;
    private static final long MAX_SAMPLES = 600;

    /** Longer than any uptime, and short enough that no time overflows. */
    private static final long MAX_PERIOD = Long.MAX_VALUE / 4;

    private record Sample(long at, Counts counts) {}

    private final long over;
    private final long step;
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    /** Starts with one reading. */
    CountHistory(long overMicros, long now, Counts counts) {
        over = Math.min(overMicros, MAX_PERIOD);
        step = Math.max(SECOND, over / MAX_SAMPLES);
        samples.add(new Sample(now, counts));
    }

    /**
     * Adds a reading, and returns the counts over the period before it, or since the first reading if that is later.
     */
    Counts add(long now, Counts counts) {
        long start = now - over;
        Sample first = samples.remove();
        for (Sample second = samples.peek();
                second != null && second.at - start <= start - first.at;
                second = samples.peek()) {
            first = samples.remove();
        }
        samples.addFirst(first);
        // Half a second of tolerance, because readings are not exactly one second apart.
        if (now - samples.getLast().at >= step - SECOND / 2) {
            samples.add(new Sample(now, counts));
        }
        return counts.since(first.counts);
    }

    /** Whether the readings cover the whole period. */
    boolean isWhole(long now) {
        return now - samples.getFirst().at >= over - SECOND / 2;
    }

    int size() {
        return samples.size();
    }
}
