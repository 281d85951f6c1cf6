package io.sluice.server.simulate.chart;

import java.util.Arrays;

/*
 * The length of a trace is known only at its end. So the bins start narrow and are merged as the trace gets longer. Each
 * width is a whole multiple of the width before, so merging loses only resolution. Each series keeps the level at which it
 * was last used, and catches up at the next use.
 */
/** Divides the time since the first request into at most {@link #MOST_BINS} bins of a round width. */
public final class Timeline {
    public static final int MOST_BINS = 1000;

    /** Each width is a multiple of the width before. A thousand bins of the last width cover all times below 2^53. */
    private static final long[] WIDTHS = TimeScale.all(
            TimeScale.of(TimeScale.MICRO, 1, 2, 10, 20, 100, 200),
            TimeScale.of(TimeScale.MILLI, 1, 2, 10, 20, 100, 200),
            TimeScale.of(TimeScale.SECOND, 1, 2, 10, 20),
            TimeScale.of(TimeScale.MINUTE, 1, 2, 10, 20),
            TimeScale.of(TimeScale.HOUR, 1, 2, 4, 12),
            TimeScale.of(TimeScale.DAY, 1, 2, 10, 20, 100, 200));

    private long start = -1;
    private int level;
    private int bins;

    /** The bin of a time. No time is before the first. */
    int bin(long micros) {
        if (start < 0) {
            start = micros;
        }
        while ((micros - start) / WIDTHS[level] >= MOST_BINS) {
            bins = (bins + factor(level) - 1) / factor(level);
            level++;
        }
        int bin = (int) ((micros - start) / WIDTHS[level]);
        bins = Math.max(bins, bin + 1);
        return bin;
    }

    /** How often the bins have been merged. */
    int level() {
        return level;
    }

    /** The number of bins of a level that make one bin of the next level. */
    static int factor(int level) {
        return Math.toIntExact(WIDTHS[level + 1] / WIDTHS[level]);
    }

    /** The first time, in microseconds since the epoch; -1 if there is none. */
    public long start() {
        return start;
    }

    /** The width of a bin, in microseconds. */
    public long width() {
        return WIDTHS[level];
    }

    /** The number of bins, up to that of the last request or departure. */
    public int bins() {
        return bins;
    }

    /** The smallest round width of whole bins with which at most {@code most} bars cover the trace. */
    public long barWidth(int most) {
        return Arrays.stream(TimeScale.ROUND)
                .filter(width -> width % width() == 0 && bins * width() <= most * width)
                .findFirst()
                .orElse(width() * MOST_BINS);
    }
}
