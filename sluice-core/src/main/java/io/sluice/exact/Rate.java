package io.sluice.exact;

import java.math.BigInteger;
import java.time.Duration;

/*
 * N permits per P microseconds, without rounding. With g = gcd(N, P), let one permit be P/g units: then one microsecond
 * brings N/g units, both whole numbers, and so every level that can ever occur is a whole number of units. Whole permits
 * and units are kept apart, because their product may not fit.
 */
/**
 * A speed: how much of a permit comes in a microsecond.
 *
 * @param unitsPerPermit the units in one permit
 * @param unitsPerMicro the units that come in one microsecond
 */
public record Rate(long unitsPerPermit, long unitsPerMicro) {
    /** Up to this many units a microsecond, all that {@link Exact#MAX_MICROS} can hold fits a word as units. */
    public static final long MAX_UNITS_PER_MICRO_IN_A_WORD = 1000;

    public static Rate of(long permits, Duration period) {
        long micros = Exact.micros(period);
        long gcd = BigInteger.valueOf(permits).gcd(BigInteger.valueOf(micros)).longValueExact();
        return new Rate(micros / gcd, permits / gcd);
    }

    /** The least whole microseconds in which so much comes. */
    public long timeFor(Amount amount) {
        if (fitsInAWord()) {
            return unitsPerMicro == 1 ? units(amount) : Exact.divUp(units(amount), unitsPerMicro);
        }
        // whole * unitsPerPermit / unitsPerMicro, plus what its remainder and the part make together.
        long micros = Exact.mulDiv(amount.whole(), unitsPerPermit, unitsPerMicro);
        long rest = Exact.mulMod(amount.whole(), unitsPerPermit, unitsPerMicro);
        return micros + Exact.divUp(rest + amount.part(), unitsPerMicro);
    }

    /** What is left of an amount after so much time has drained it. */
    public Amount drain(Amount amount, long micros) {
        if (micros == 0 || amount.isZero()) {
            return amount;
        }
        if (fitsInAWord() && micros <= Exact.MAX_MICROS) {
            long left = units(amount) - micros * unitsPerMicro;
            return left <= 0 ? Amount.ZERO : new Amount(left / unitsPerPermit, left % unitsPerPermit);
        }
        // Clamped before anything is multiplied: however long it was idle, nothing overflows.
        if (micros >= timeFor(amount)) {
            return Amount.ZERO;
        }
        return minus(
                amount,
                Exact.mulDiv(micros, unitsPerMicro, unitsPerPermit),
                Exact.mulMod(micros, unitsPerMicro, unitsPerPermit));
    }

    public boolean fitsInAWord() {
        return unitsPerMicro <= MAX_UNITS_PER_MICRO_IN_A_WORD;
    }

    private long units(Amount amount) {
        return amount.whole() * unitsPerPermit + amount.part();
    }

    /** The difference, or zero if the second is larger. */
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

    /** The same amount in this rate's units, rounded up. */
    public Amount convert(Amount amount, Rate from) {
        long part = Exact.mulDivUp(amount.part(), unitsPerPermit, from.unitsPerPermit);
        return part == unitsPerPermit ? new Amount(amount.whole() + 1, 0) : new Amount(amount.whole(), part);
    }

    /** The most whole permits that come within {@link Exact#MAX_MICROS}, and can be counted: no use or debt grows beyond. */
    public long maxUse() {
        return Math.min(Exact.mulDivSaturated(Exact.MAX_MICROS, unitsPerMicro, unitsPerPermit), Exact.MAX_DEBT);
    }
}
