package io.sluice.server.simulate.chart;

import java.util.Arrays;

/** Counts events in each bin of a {@link Timeline}. */
public final class BinCounts {
    private final Timeline timeline;
    private long[] counts = new long[16];
    private int level;
    private long total;

    BinCounts(Timeline timeline) {
        this.timeline = timeline;
        this.level = timeline.level();
    }

    /** Counts an event at a time. */
    void add(long micros) {
        int bin = timeline.bin(micros);
        catchUp();
        if (bin >= counts.length) {
            counts = Arrays.copyOf(counts, Math.max(bin + 1, 2 * counts.length));
        }
        counts[bin]++;
        total++;
    }

    public long total() {
        return total;
    }

    /** The counts of {@code factor} bins each, summed. */
    public long[] sums(int factor) {
        catchUp();
        long[] sums = new long[(timeline.bins() + factor - 1) / factor];
        for (int bin = 0; bin < Math.min(counts.length, timeline.bins()); bin++) {
            sums[bin / factor] += counts[bin];
        }
        return sums;
    }

    private void catchUp() {
        for (; level < timeline.level(); level++) {
            int factor = Timeline.factor(level);
            for (int bin = 0; bin < counts.length; bin++) {
                long count = counts[bin];
                counts[bin] = 0;
                counts[bin / factor] += count;
            }
        }
    }
}
