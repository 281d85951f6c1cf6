package io.sluice.cli.simulate.plot;

import java.util.Arrays;

/*
 * The length of a trace is known only at its end, so the bins begin fine and are merged as time goes on: each width is
 * a whole multiple of the one before, hence merging loses nothing but resolution. Series do not need to be told: each
 * keeps the level it was last used at and catches up when it is used again.
 */
/** Divides time since the first row into at most {@link #MOST_BINS} bins of a width that people have a name for. */
final class Timeline {
    static final int MOST_BINS = 1000;

    /** Each a multiple of the one before; a thousand of the last hold all times below 2^53. */
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

    /** The bin of a time; times never fall. */
    int bin(long micros) {
        if (start < 0) {
            start = micros;
        }
        while ((micros - start) / WIDTHS[level] >= MOST_BINS) {
            level++;
        }
        int bin = (int) ((micros - start) / WIDTHS[level]);
        bins = bin + 1;
        return bin;
    }

    /** How often bins were merged so far. */
    int level() {
        return level;
    }

    /** How many bins of a level are merged into one of the next. */
    static int factor(int level) {
        return Math.toIntExact(WIDTHS[level + 1] / WIDTHS[level]);
    }

    /** The width of a bin, in microseconds. */
    long width() {
        return WIDTHS[level];
    }

    /** How many bins there are, up to the one of the last row. */
    int bins() {
        return bins;
    }

    /** The least round width that is made of whole bins and needs at most so many of them for all. */
    long barWidth(int most) {
        return Arrays.stream(TimeScale.ROUND)
                .filter(width -> width % width() == 0 && bins * width() <= most * width)
                .findFirst()
                .orElse(width() * MOST_BINS);
    }
}
