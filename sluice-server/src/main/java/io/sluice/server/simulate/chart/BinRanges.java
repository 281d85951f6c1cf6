package io.sluice.server.simulate.chart;

import java.util.Arrays;

/** The minimum, maximum and last value of a number in each bin of a {@link Timeline}. */
public final class BinRanges {
    private static final long NONE = -1;

    private final Timeline timeline;
    private long[] least = new long[0];
    private long[] most = new long[0];
    private long[] last = new long[0];
    private int level;

    BinRanges(Timeline timeline) {
        this.timeline = timeline;
        this.level = timeline.level();
    }

    /** Adds a value, at least 0, at a time. */
    void add(long micros, long value) {
        int bin = timeline.bin(micros);
        catchUp();
        if (bin >= last.length) {
            grow(Math.max(bin + 1, Math.max(16, 2 * last.length)));
        }
        put(bin, value, value, value);
    }

    /** Whether a bin has no value. */
    public boolean isEmpty(int bin) {
        catchUp();
        return bin >= last.length || last[bin] == NONE;
    }

    public long least(int bin) {
        return least[bin];
    }

    public long most(int bin) {
        return most[bin];
    }

    public long last(int bin) {
        return last[bin];
    }

    private void put(int bin, long lower, long upper, long end) {
        least[bin] = last[bin] == NONE ? lower : Math.min(lower, least[bin]);
        most[bin] = Math.max(upper, most[bin]);
        last[bin] = end;
    }

    private void grow(int length) {
        int from = last.length;
        least = Arrays.copyOf(least, length);
        most = Arrays.copyOf(most, length);
        last = Arrays.copyOf(last, length);
        Arrays.fill(most, from, length, NONE);
        Arrays.fill(last, from, length, NONE);
    }

    private void catchUp() {
        for (; level < timeline.level(); level++) {
            int factor = Timeline.factor(level);
            for (int bin = 0; bin < last.length; bin++) {
                if (last[bin] != NONE) {
                    long lower = least[bin];
                    long upper = most[bin];
                    long end = last[bin];
                    most[bin] = NONE;
                    last[bin] = NONE;
                    put(bin / factor, lower, upper, end);
                }
            }
        }
    }
}
