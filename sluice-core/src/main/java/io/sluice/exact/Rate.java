package io.sluice.exact;

import java.time.Duration;

/*
 * N permits per P microseconds, without rounding. With g = gcd(N, P), let one permit be P/g units. Then one microsecond
 * brings N/g units. Both are whole numbers, so every level that can occur is a whole number of units. Whole permits and
 * units are stored apart, because their product may not fit a long.
 */
/**
 * A rate: permits per time, as whole units per microsecond.
 *
 * @param unitsPerPermit the units in one permit
 * @param unitsPerMicro the units that are refilled, or drain, in one microsecond
 */
public record Rate(long unitsPerPermit, long unitsPerMicro) {
    /** Up to this rate, all units of {@link Exact#MAX_MICROS} fit a long. */
    public static final long MAX_UNITS_PER_MICRO_IN_A_WORD = 1000;

    public static Rate of(long permits, Duration period) {
        long micros = Exact.micros(period);
        long gcd = Exact.gcd(permits, micros);
        return new Rate(micros / gcd, permits / gcd);
    }

    /** The fewest whole microseconds in which an amount drains. */
    public long timeFor(Amount amount) {
        if (fitsInAWord()) {
            return unitsPerMicro == 1 ? units(amount) : Exact.divUp(units(amount), unitsPerMicro);
        }
        // whole * unitsPerPermit / unitsPerMicro, plus its remainder and the part together.
        long micros = Exact.mulDiv(amount.whole(), unitsPerPermit, unitsPerMicro);
        long rest = Exact.mulMod(amount.whole(), unitsPerPermit, unitsPerMicro);
        return micros + Exact.divUp(rest + amount.part(), unitsPerMicro);
    }

    /** What is left of an amount after it has drained for a time. */
    public Amount drain(Amount amount, long micros) {
        if (micros == 0 || amount.isZero()) {
            return amount;
        }
        if (fitsInAWord() && micros <= Exact.MAX_MICROS) {
            long left = units(amount) - micros * unitsPerMicro;
            return left <= 0 ? Amount.ZERO : new Amount(left / unitsPerPermit, left % unitsPerPermit);
        }
        // Checked before the multiplication, so that no idle time overflows.
        if (micros >= timeFor(amount)) {
            return Amount.ZERO;
        }
        return minus(
                amount,
                Exact.mulDiv(micros, unitsPerMicro, unitsPerPermit),
                Exact.mulMod(micros, unitsPerMicro, unitsPerPermit));
    }

    /** Whether any amount fits a long as units. */
    public boolean fitsInAWord() {
        return unitsPerMicro <= MAX_UNITS_PER_MICRO_IN_A_WORD;
    }

    private long units(Amount amount) {
        return amount.whole() * unitsPerPermit + amount.part();
    }

    /** The difference, or zero if the second amount is larger. */
    public Amount minus(Amount amount, Amount less) {
        boolean larger =
                less.whole() > amount.whole() || (less.whole() == amount.whole() && less.part() >= amount.part());
        return larger ? Amount.ZERO : minus(amount, less.whole(), less.part());
    }

    private Amount minus(Amount amount, long whole, long part) {
        long difference = amount.part() - part;
        return difference < 0
                ? new Amount(amount.whole() - whole - 1, difference + unitsPerPermit)
                : new Amount(amount.whole() - whole, difference);
    }

    /** An amount of another rate in the units of this rate, rounded up. */
    public Amount convert(Amount amount, Rate from) {
        long part = Exact.mulDivUp(amount.part(), unitsPerPermit, from.unitsPerPermit);
        return part == unitsPerPermit ? new Amount(amount.whole() + 1, 0) : new Amount(amount.whole(), part);
    }

    /** The most whole permits that may be in use, debt included: they drain within {@link Exact#MAX_MICROS}. */
    public long maxUse() {
        return Math.min(Exact.mulDivSaturated(Exact.MAX_MICROS, unitsPerMicro, unitsPerPermit), Exact.MAX_DEBT);
    }
}
