package io.sluice.testkit.usage;

import io.sluice.Limit;
import io.sluice.WarmUp;
import java.math.BigInteger;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The usage of a limit that warms up. The stored units are those of the design: with g = gcd(N, P), a permit is P/g units, and
 * N/g units come in an idle microsecond.
 *
 * @param stored the units stored at {@code free}
 * @param free the time from which the next request is free
 * @param taken the units that the latest charge took
 * @param moved how far the latest charge moved {@code free}
 * @param from the units stored before the latest charge; null in a receipt that comes from another limit
 */
record WarmUpUsage(
        WarmUp limit,
        BigInteger stored,
        Fraction free,
        BigInteger taken,
        Fraction moved,
        @Nullable BigInteger from) implements Usage {
    /** A receipt is never free: so it never changes by itself. */
    private static final Fraction NEVER = Fraction.of(BigInteger.TWO.pow(80));

    /** Permits by force are paid ahead for this time at most, apart from the price of the cold start. */
    private static final BigInteger LONGEST_AHEAD = BigInteger.TWO.pow(51);

    static WarmUpUsage fresh(WarmUp limit) {
        BigInteger none = BigInteger.ZERO;
        return new WarmUpUsage(limit, full(limit), Fraction.ZERO, none, Fraction.ZERO, null);
    }

    private static BigInteger perMicro(WarmUp limit) {
        return Fraction.of(limit.permits(), Usage.micros(limit.period())).numerator();
    }

    private static BigInteger full(WarmUp limit) {
        return perMicro(limit).multiply(BigInteger.valueOf(Usage.micros(limit.over())));
    }

    private BigInteger full() {
        return full(limit);
    }

    private BigInteger perMicro() {
        return perMicro(limit);
    }

    private BigInteger perPermit() {
        return Fraction.of(limit.permits(), Usage.micros(limit.period())).denominator();
    }

    private BigInteger units(BigInteger permits) {
        return permits.multiply(perPermit()).min(full());
    }

    /** The state that a request finds at that time. */
    @Override
    public WarmUpUsage arrive(long micros) {
        Fraction now = Fraction.of(micros);
        if (now.compareTo(free) <= 0) {
            return this;
        }
        BigInteger grown = now.minus(free).times(perMicro().longValueExact()).floor();
        return new WarmUpUsage(limit, stored.add(grown).min(full()), now, taken, moved, from);
    }

    private boolean isFree(long micros) {
        return free.compareTo(Fraction.of(micros)) <= 0;
    }

    @Override
    public Fraction at(long micros) {
        return new Fraction(full().subtract(arrive(micros).stored), perPermit());
    }

    @Override
    public boolean isUnused(long micros) {
        return isFree(micros) && at(micros).signum() == 0;
    }

    @Override
    public boolean fits(long permits, long micros) {
        return isFree(micros) && permits <= limit.capacity();
    }

    @Override
    public long room(long micros) {
        return isFree(micros) ? limit.capacity() : 0;
    }

    /** What is not paid is time, not permits. */
    @Override
    public long debt(long micros) {
        return 0;
    }

    /** The time that permits cost: that of the warm limit, and the area under the line by which a cold one is slower. */
    private Fraction cost(BigInteger permits, BigInteger before) {
        Fraction warm = new Fraction(permits.multiply(perPermit()), perMicro());
        BigInteger after = before.subtract(permits.multiply(perPermit()).min(before));
        Fraction half = new Fraction(full(), BigInteger.TWO);
        Fraction high = Fraction.of(before).max(half);
        Fraction low = Fraction.of(after).max(half);
        Fraction mean = slower(high).plus(slower(low)).dividedBy(BigInteger.TWO);
        return warm.plus(mean.times(high.minus(low)));
    }

    /** How much longer a unit takes than when warm, with so many units stored: nothing at the half, two more times when full. */
    private Fraction slower(Fraction units) {
        Fraction aboveHalf = units.minus(new Fraction(full(), BigInteger.TWO));
        return aboveHalf.times(4).dividedBy(full().multiply(perMicro()));
    }

    @Override
    public Usage plus(long permits, long micros) {
        if (permits == 0) {
            return this;
        }
        WarmUpUsage now = arrive(micros);
        BigInteger asked = BigInteger.valueOf(permits);
        BigInteger takes = asked.multiply(perPermit()).min(now.stored);
        Fraction cost = cost(asked, now.stored);
        return new WarmUpUsage(
                limit, now.stored.subtract(takes), now.free.plus(cost).reduced(), takes, cost, now.stored);
    }

    @Override
    public Usage minus(Fraction permits, long micros) {
        WarmUpUsage now = arrive(micros);
        BigInteger back = permits.floor();
        BigInteger more = now.stored.add(back.multiply(perPermit())).min(full());
        return now.movedBack(more, cost(back, more), micros);
    }

    private WarmUpUsage movedBack(BigInteger more, Fraction by, long micros) {
        Fraction back = free.minus(by).max(Fraction.of(micros)).reduced();
        return new WarmUpUsage(limit, more, back, taken, moved, from);
    }

    @Override
    public Usage cancel(long permits, long charged, Usage after, long micros) {
        WarmUpUsage receipt = (WarmUpUsage) after;
        WarmUpUsage now = arrive(micros);
        return now.movedBack(now.stored.add(receipt.taken).min(full()), receipt.moved, micros);
    }

    /** What the rest of the charge would have taken and moved is kept. Under another limit, a part goes back as any permits do. */
    @Override
    public Usage undo(long part, long permits, long charged, Usage after, long micros) {
        WarmUpUsage receipt = (WarmUpUsage) after;
        if (part == permits) {
            return cancel(permits, charged, after, micros);
        } else if (receipt.from == null) {
            return minus(Fraction.of(part), micros);
        }
        BigInteger rest = BigInteger.valueOf(permits - part);
        BigInteger keeps = rest.multiply(perPermit()).min(receipt.from);
        WarmUpUsage now = arrive(micros);
        BigInteger more = now.stored.add(receipt.taken.subtract(keeps)).min(full());
        return now.movedBack(more, receipt.moved.minus(cost(rest, receipt.from)), micros);
    }

    @Override
    public long takable(long permits, long micros) {
        BigInteger ahead = LONGEST_AHEAD.subtract(
                free.minus(Fraction.of(micros)).max(Fraction.ZERO).ceil());
        return ahead.max(BigInteger.ZERO)
                .multiply(perMicro())
                .divide(perPermit())
                .min(BigInteger.valueOf(permits))
                .longValueExact();
    }

    @Override
    public BigInteger max() {
        return MOST_IN_WINDOW;
    }

    @Override
    public long span() {
        return Usage.micros(limit.over());
    }

    @Override
    public boolean allowsDebt() {
        return true;
    }

    @Override
    public boolean drainsWithOlderUse() {
        return false;
    }

    @Override
    public Usage receipt(long permits, long charged) {
        return new WarmUpUsage(limit, full().subtract(taken), NEVER, taken, moved, from);
    }

    /** Permits of another algorithm have moved nothing. */
    @Override
    public Usage asReceipt(long permits) {
        BigInteger units = units(BigInteger.valueOf(permits));
        return new WarmUpUsage(limit, full().subtract(units), NEVER, units, Fraction.ZERO, null);
    }

    @Override
    public Fraction left(long permits, long charged, Usage now, long micros) {
        return at(micros);
    }

    /** Use of another algorithm is missing in the stored units; the next request is free. */
    @Override
    public Usage carry(long permits, long micros) {
        BigInteger left = full().subtract(units(BigInteger.valueOf(permits)));
        return new WarmUpUsage(limit, left, Fraction.of(micros), taken, moved, null);
    }

    @Override
    public Optional<Usage> convertIfSameKind(Limit next, long micros) {
        if (!(next instanceof WarmUp warmUp)) {
            return Optional.empty();
        }
        WarmUpUsage now = arrive(micros);
        WarmUpUsage none = fresh(warmUp);
        BigInteger parts = BigInteger.TWO.multiply(none.perMicro()).multiply(none.full());
        BigInteger used = none.units(at(micros).ceil());
        Fraction movedDown = new Fraction(
                new Fraction(now.moved.numerator().multiply(parts), now.moved.denominator()).floor(), parts);
        return Optional.of(new WarmUpUsage(
                warmUp,
                none.full().subtract(used),
                now.free.upToMultipleOf(parts).reduced(),
                used,
                movedDown.reduced(),
                null));
    }
}
