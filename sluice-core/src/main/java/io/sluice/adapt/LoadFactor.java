package io.sluice.adapt;

import io.sluice.exact.Exact;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/*
 * The factor is a decimal and products of decimals are exact, so every process that sees the same samples has the same factor. Only
 * after some dozens of changes without reaching a bound would it have more than 60 digits. Then it is rounded down; a limit has at
 * most 16 digits.
 */
/**
 * The factor of a {@link LoadRule}: a pure state machine, fed with samples and times. Ticks are at the start plus whole multiples of
 * {@code every}. A tick at a time comes before the samples of that time. If no sample arrived since the last tick, the latest one
 * still holds, and counts, unless the signal is {@linkplain #silent silent}. Not thread-safe.
 */
public final class LoadFactor {
    private static final MathContext DIGITS = new MathContext(60, RoundingMode.DOWN);
    private static final long TICKS_AFTER_CUT = 3;

    private final LoadRule rule;
    private final double above;
    private final double below;
    private final long every;

    private BigDecimal factor = BigDecimal.ONE;
    private long nextTick;
    /** Ticks since the last cut; at most {@link #TICKS_AFTER_CUT} are counted. */
    private long ticksSinceCut = TICKS_AFTER_CUT;

    private double latest = Double.NaN;
    private double lowest = Double.NaN;
    private double highest = Double.NaN;

    /** A factor of 1, whose first tick is one {@code every} after the start. */
    public LoadFactor(LoadRule rule, long startMicros) {
        this.rule = rule;
        this.above = rule.above().doubleValue();
        this.below = rule.below().doubleValue();
        this.every = Exact.micros(rule.every());
        this.nextTick = startMicros + every;
    }

    public BigDecimal factor() {
        return factor;
    }

    /** When the next tick is due, in microseconds. */
    public long nextTickMicros() {
        return nextTick;
    }

    /**
     * When the factor may change next, in microseconds, if no other sample arrives. {@link Long#MAX_VALUE} if it then stays as it is.
     */
    public long nextChangeMicros() {
        boolean hasSamples = !Double.isNaN(lowest);
        boolean falls = latest > above && factor.compareTo(rule.least()) > 0;
        boolean rises = latest < below && factor.compareTo(rule.most()) < 0;
        return hasSamples || falls || rises ? nextTick : Long.MAX_VALUE;
    }

    /**
     * Reports a sample at a time, after the ticks up to that time. {@code NaN} is no sample.
     *
     * @return whether the factor changed
     */
    public boolean sample(long now, double value) {
        boolean changed = advance(now);
        if (!Double.isNaN(value)) {
            lowest = Double.isNaN(lowest) ? value : Math.min(lowest, value);
            highest = Double.isNaN(highest) ? value : Math.max(highest, value);
            latest = value;
        }
        return changed;
    }

    /**
     * Tells that the signal has no value now, after the ticks up to that time. If no sample arrived since the last tick, the ticks
     * change nothing until the next sample: nothing is known about the load.
     *
     * @return whether the factor changed
     */
    public boolean silent(long now) {
        boolean changed = advance(now);
        if (Double.isNaN(lowest)) {
            latest = Double.NaN;
        }
        return changed;
    }

    /**
     * Runs the ticks up to a time.
     *
     * @return whether the factor changed
     */
    public boolean advance(long now) {
        BigDecimal before = factor;
        while (nextTick <= now) {
            BigDecimal last = factor;
            boolean hadSamples = !Double.isNaN(lowest);
            tick();
            nextTick += every;
            boolean isRest = ticksSinceCut == 0 || ticksSinceCut == TICKS_AFTER_CUT;
            if (!hadSamples && isRest && factor.compareTo(last) == 0 && nextTick <= now) {
                // All further ticks do the same, until there is a sample.
                nextTick += (now - nextTick) / every * every + every;
            }
        }
        return factor.compareTo(before) != 0;
    }

    private void tick() {
        ticksSinceCut = Math.min(TICKS_AFTER_CUT, ticksSinceCut + 1);
        double low = Double.isNaN(lowest) ? latest : lowest;
        double high = Double.isNaN(highest) ? latest : highest;
        if (low > above) {
            factor = factor.multiply(rule.down(), DIGITS).max(rule.least()).stripTrailingZeros();
            ticksSinceCut = 0;
        } else if (high < below && ticksSinceCut >= TICKS_AFTER_CUT) {
            factor = factor.multiply(rule.up(), DIGITS).min(rule.most()).stripTrailingZeros();
        }
        lowest = Double.NaN;
        highest = Double.NaN;
    }
}
