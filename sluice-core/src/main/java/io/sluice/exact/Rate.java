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
 * @param permit the units in one permit
 * @param perMicro the units that come in one microsecond
 */
public record Rate(long permit, long perMicro) {
    /** Up to this many units a microsecond, all that {@link Exact#LONGEST} can hold fits a word as units. */
    public static final long MOST_PER_MICRO_IN_A_WORD = 1000;

    public static Rate of(long permits, Duration period) {
        long micros = Exact.micros(period);
        long gcd = BigInteger.valueOf(permits).gcd(BigInteger.valueOf(micros)).longValueExact();
        return new Rate(micros / gcd, permits / gcd);
    }

    /** The least whole microseconds in which so much comes. */
    public long timeFor(Amount amount) {
        if (fitsAWord()) {
            return perMicro == 1 ? units(amount) : Exact.divUp(units(amount), perMicro);
        }
        // whole * permit / perMicro, plus what its remainder and the part make together.
        long micros = Exact.mulDiv(amount.whole(), permit, perMicro);
        long rest = Exact.mulMod(amount.whole(), permit, perMicro);
        return micros + Exact.divUp(rest + amount.part(), perMicro);
    }

    /** What is left of an amount after so much time has drained it. */
    public Amount drain(Amount amount, long micros) {
        if (micros == 0 || amount.isZero()) {
            return amount;
        }
        if (fitsAWord() && micros <= Exact.LONGEST) {
            long left = units(amount) - micros * perMicro;
            return left <= 0 ? Amount.ZERO : new Amount(left / permit, left % permit);
        }
        // Clamped before anything is multiplied: however long it was idle, nothing overflows.
        if (micros >= timeFor(amount)) {
            return Amount.ZERO;
        }
        return minus(amount, Exact.mulDiv(micros, perMicro, permit), Exact.mulMod(micros, perMicro, permit));
    }

    public boolean fitsAWord() {
        return perMicro <= MOST_PER_MICRO_IN_A_WORD;
    }

    private long units(Amount amount) {
        return amount.whole() * permit + amount.part();
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
                ? new Amount(amount.whole() - whole - 1, difference + permit)
                : new Amount(amount.whole() - whole, difference);
    }

    /** The same amount in this rate's units, rounded up. */
    public Amount convert(Amount amount, Rate from) {
        long part = Exact.mulDivUp(amount.part(), permit, from.permit);
        return part == permit ? new Amount(amount.whole() + 1, 0) : new Amount(amount.whole(), part);
    }

    /** The most whole permits that come within {@link Exact#LONGEST}, and can be counted: no use or debt grows beyond. */
    public long most() {
        return Math.min(Exact.mulDivSaturated(Exact.LONGEST, perMicro, permit), Exact.MOST_OWED);
    }
}
