package io.sluice.exact;

import java.time.Duration;

/*
 * With g = gcd(N, P), a permit is P/g units and N/g units come in a microsecond, as for a bucket (see Rate). Stored units are
 * whole. The time at which the next request is free is a fraction whose denominator is 2 * r^2 * D: the price of a permit
 * grows in a straight line with the stored units, so the price of several is an area under that line.
 */
/**
 * The rate of a limit that warms up.
 *
 * @param unitsPerPermit the units in one permit
 * @param unitsPerMicro the units that are stored in one idle microsecond
 * @param full the units stored when the limit is cold
 */
public record WarmUpRate(long unitsPerPermit, long unitsPerMicro, long full) {
    /** The largest {@link #full}. */
    public static final long MAX_FULL = 1L << 49;

    /** The largest number of {@link #parts}. */
    public static final long MAX_PARTS = 1L << 50;

    /** The time that permits taken by force are paid ahead at most, in microseconds, not counting that the limit is cold. */
    public static final long MAX_AHEAD = 1L << 51;

    public static WarmUpRate of(long permits, Duration period, Duration over) {
        Rate rate = Rate.of(permits, period);
        return new WarmUpRate(rate.unitsPerPermit(), rate.unitsPerMicro(), Exact.micros(over) * rate.unitsPerMicro());
    }

    /** The longest warm-up at this rate that stays exact, in microseconds. */
    public static long maxOver(long permits, Duration period) {
        long perMicro = Rate.of(permits, period).unitsPerMicro();
        long byParts = perMicro > 1L << 25 ? 0 : MAX_PARTS / (2 * perMicro * perMicro);
        return Math.min(MAX_FULL / perMicro, byParts);
    }

    /** The number of parts in which a microsecond is counted. */
    public long parts() {
        return 2 * unitsPerMicro * full;
    }

    /** The most permits of one request. */
    public long capacity() {
        return Math.max(1, full / unitsPerPermit);
    }

    /** The units that permits take from the stored ones. */
    public long taken(long permits, long stored) {
        return permits > stored / unitsPerPermit ? stored : permits * unitsPerPermit;
    }

    /** The time that permits cost, with so many units stored: whole microseconds. */
    public long costMicros(long permits, long stored) {
        long micros = Exact.mulDiv(permits, unitsPerPermit, unitsPerMicro)
                + Exact.mulDiv(cold(permits, stored), coldSum(permits, stored), parts());
        return sumOfParts(permits, stored) >= parts() ? micros + 1 : micros;
    }

    /** The time that permits cost: the parts of a microsecond beside {@link #costMicros}. */
    public long costParts(long permits, long stored) {
        long parts = sumOfParts(permits, stored);
        return parts >= parts() ? parts - parts() : parts;
    }

    private long sumOfParts(long permits, long stored) {
        return Exact.mulMod(permits, unitsPerPermit, unitsPerMicro) * 2 * full
                + Exact.mulMod(cold(permits, stored), coldSum(permits, stored), parts());
    }

    /** b - a, where b and a are how far above the half of full the stored units are before and after, doubled. */
    private long cold(long permits, long stored) {
        return above(stored) - above(stored - taken(permits, stored));
    }

    /** b + a. */
    private long coldSum(long permits, long stored) {
        return above(stored) + above(stored - taken(permits, stored));
    }

    private long above(long stored) {
        return Math.max(0, 2 * stored - full);
    }
}
