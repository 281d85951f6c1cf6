package io.sluice.cli.simulate.plot;

import java.util.Locale;
import java.util.stream.LongStream;

/**
 * A vertical axis for whole numbers, from 0 to a round number.
 *
 * @param step the distance of ticks: 1, 2 or 5 times a power of 10
 * @param top the end of the axis, a multiple of the step
 */
record CountAxis(long step, long top) {
    private static final String[] SUFFIXES = {"", "k", "M", "G", "T", "P", "E"};

    /** The axis for all numbers up to {@code max}, with at most {@code mostSteps} steps. */
    static CountAxis upTo(long max, int mostSteps) {
        long least = Math.max(1, max / mostSteps + (max % mostSteps > 0 ? 1 : 0));
        long power = 1;
        while (power * 10 <= least) {
            power *= 10;
        }
        long digits = least / power + (least % power > 0 ? 1 : 0);
        long step = power * (digits <= 2 ? digits : digits <= 5 ? 5 : 10);
        long steps = Math.max(1, max / step + (max % step > 0 ? 1 : 0));
        return new CountAxis(step, steps * step);
    }

    LongStream ticks() {
        return LongStream.rangeClosed(0, top / step).map(i -> i * step);
    }

    /** A round number as short text, such as 500, 2k or 1.5M. */
    static String text(long value) {
        int thousands = 0;
        double scaled = value;
        while (scaled >= 10_000 || (thousands > 0 && scaled >= 1000)) {
            scaled /= 1000;
            thousands++;
        }
        String digits = String.format(Locale.ROOT, "%.1f", scaled);
        return (digits.endsWith(".0") ? digits.substring(0, digits.length() - 2) : digits) + SUFFIXES[thousands];
    }
}
