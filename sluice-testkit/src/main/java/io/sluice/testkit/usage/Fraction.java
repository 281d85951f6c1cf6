package io.sluice.testkit.usage;

import java.math.BigInteger;

/**
 * An exact rational number. {@link #of(long, long)} is in lowest terms; sums keep the common denominator, so compare with
 * {@link #compareTo}, not with {@code equals}.
 *
 * @param numerator of any sign
 * @param denominator at least 1
 */
public record Fraction(BigInteger numerator, BigInteger denominator) implements Comparable<Fraction> {
    public static final Fraction ZERO = of(0);

    public static Fraction of(long whole) {
        return of(BigInteger.valueOf(whole));
    }

    public static Fraction of(BigInteger whole) {
        return new Fraction(whole, BigInteger.ONE);
    }

    public static Fraction of(long numerator, long denominator) {
        BigInteger n = BigInteger.valueOf(numerator);
        BigInteger d = BigInteger.valueOf(denominator);
        BigInteger gcd = n.gcd(d);
        return new Fraction(n.divide(gcd), d.divide(gcd));
    }

    public Fraction plus(Fraction other) {
        if (denominator.equals(other.denominator)) {
            return new Fraction(numerator.add(other.numerator), denominator);
        }
        BigInteger common = leastCommonMultiple(denominator, other.denominator);
        return new Fraction(over(common).add(other.over(common)), common);
    }

    public Fraction minus(Fraction other) {
        return plus(new Fraction(other.numerator.negate(), other.denominator));
    }

    public Fraction times(long factor) {
        return new Fraction(numerator.multiply(BigInteger.valueOf(factor)), denominator);
    }

    public Fraction times(Fraction other) {
        return new Fraction(numerator.multiply(other.numerator), denominator.multiply(other.denominator));
    }

    /** This divided by a whole number, at least 1. */
    Fraction dividedBy(BigInteger divisor) {
        return new Fraction(numerator, denominator.multiply(divisor));
    }

    /** The same number in lowest terms. */
    Fraction reduced() {
        BigInteger gcd = numerator.gcd(denominator);
        return new Fraction(numerator.divide(gcd), denominator.divide(gcd));
    }

    public Fraction min(Fraction other) {
        return compareTo(other) <= 0 ? this : other;
    }

    public Fraction max(Fraction other) {
        return compareTo(other) >= 0 ? this : other;
    }

    public int signum() {
        return numerator.signum();
    }

    public BigInteger floor() {
        BigInteger[] parts = numerator.divideAndRemainder(denominator);
        return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
    }

    public BigInteger ceil() {
        return new Fraction(numerator.negate(), denominator).floor().negate();
    }

    /** The smallest multiple of {@code 1/parts} that is not less than this fraction. */
    Fraction upToMultipleOf(BigInteger parts) {
        return new Fraction(new Fraction(numerator.multiply(parts), denominator).ceil(), parts);
    }

    @Override
    public int compareTo(Fraction other) {
        return denominator.equals(other.denominator)
                ? numerator.compareTo(other.numerator)
                : numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
    }

    private BigInteger over(BigInteger common) {
        return common.equals(denominator) ? numerator : numerator.multiply(common.divide(denominator));
    }

    private static BigInteger leastCommonMultiple(BigInteger x, BigInteger y) {
        if (x.equals(BigInteger.ONE)) {
            return y;
        }
        return y.equals(BigInteger.ONE) ? x : x.divide(x.gcd(y)).multiply(y);
    }
}
