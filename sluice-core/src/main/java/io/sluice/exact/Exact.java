package io.sluice.exact;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;

/*
 * Every decision is exact, also on stores whose only number type is a double. So no time, count or intermediate result may
 * reach 2^53. The numbers of a limit stay within 2^50: then the product with a small digit still fits, which a split
 * multiplication needs. The refill time of a limit stays within 2^52 us (142 years): then it can be added to any time of
 * this century.
 */
/** Exact integer arithmetic, and checks that refuse numbers that are too large for it. */
public final class Exact {
    /** The largest number of permits, or of microseconds, in a limit. */
    public static final long MAX_NUMBER = 1L << 50;

    /** The largest debt of a bucket, in permits. */
    public static final long MAX_DEBT = 1L << 52;

    /** The longest refill time of a limit, in microseconds. A wait of this length means no timeout. */
    public static final long MAX_MICROS = 1L << 52;

    /** The largest distance between two times, in microseconds. */
    public static final long MAX_TIME_SPAN = 1L << 54;

    private Exact() {}

    /** The sum of two numbers that are not negative, at most {@link Long#MAX_VALUE}. */
    public static long sum(long x, long y) {
        return x > Long.MAX_VALUE - y ? Long.MAX_VALUE : x + y;
    }

    public static void requireCount(String name, long value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: at least 1)");
        }
        if (value > MAX_NUMBER) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: at most " + MAX_NUMBER + ")");
        }
    }

    public static void requireDuration(String name, Duration value) {
        Objects.requireNonNull(value, name);
        if (value.isNegative() || value.isZero() || value.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: a whole number of milliseconds, at least 1ms)");
        }
        if (value.compareTo(duration(MAX_NUMBER)) > 0) {
            throw new IllegalArgumentException(
                    name + ": " + DurationText.of(value) + " (expected: at most " + MAX_NUMBER / 1000 + "ms)");
        }
    }

    /** Refuses a bucket whose refill takes longer than {@link #MAX_MICROS}. */
    public static void requireRefill(String name, long permits, Duration period, long capacity) {
        long most = mulDivSaturated(MAX_MICROS, permits, micros(period));
        if (capacity > most) {
            throw refillTooLong(name, capacity, most);
        }
    }

    public static void requireIntervalRefill(long permits, Duration period, long burst) {
        long most = mulDivSaturated(MAX_MICROS / micros(period), permits, 1);
        if (burst > most) {
            throw refillTooLong("burst", burst, most);
        }
    }

    private static IllegalArgumentException refillTooLong(String name, long value, long most) {
        return new IllegalArgumentException(
                name + ": " + value + " (expected: at most " + most + " at this rate, to refill within 2^52 us)");
    }

    public static long micros(Duration duration) {
        return Math.addExact(Math.multiplyExact(duration.toSeconds(), 1_000_000L), duration.toNanosPart() / 1000);
    }

    /** A wait in microseconds, rounded up, at most {@link #MAX_MICROS}. */
    public static long microsUp(String name, Duration duration) {
        Objects.requireNonNull(duration, name);
        if (duration.compareTo(duration(MAX_MICROS)) >= 0) {
            return MAX_MICROS;
        }
        return duration.isNegative() ? 0 : micros(duration.plusNanos(999));
    }

    public static Duration duration(long micros) {
        return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1000);
    }

    public static long divUp(long x, long y) {
        return x / y + (x % y > 0 ? 1 : 0);
    }

    /** floor(x * y / z) for x, y >= 0 and z > 0. The result must fit a long. */
    public static long mulDiv(long x, long y, long z) {
        if (Math.multiplyHigh(x, y) == 0 && x * y >= 0) {
            return x * y / z;
        }
        return product(x, y).divide(BigInteger.valueOf(z)).longValueExact();
    }

    /** x * y mod z. */
    public static long mulMod(long x, long y, long z) {
        if (Math.multiplyHigh(x, y) == 0 && x * y >= 0) {
            return x * y % z;
        }
        return product(x, y).mod(BigInteger.valueOf(z)).longValueExact();
    }

    /** ceil(x * y / z). */
    public static long mulDivUp(long x, long y, long z) {
        return mulDiv(x, y, z) + (mulMod(x, y, z) > 0 ? 1 : 0);
    }

    /** floor(x * y / z), at most {@link Long#MAX_VALUE}. */
    public static long mulDivSaturated(long x, long y, long z) {
        if (Math.multiplyHigh(x, y) == 0 && x * y >= 0) {
            return x * y / z;
        }
        if (x < z || y < z) {
            // Then the result is less than the other factor.
            return longDivision(Math.max(x, y), Math.min(x, y), z);
        }
        BigInteger result = product(x, y).divide(BigInteger.valueOf(z));
        return result.bitLength() > 63 ? Long.MAX_VALUE : result.longValueExact();
    }

    /** floor(x * y / z) for y < z < 2^62, bit by bit: thousands of limits are checked in a reload, and this creates no garbage. */
    private static long longDivision(long x, long y, long z) {
        long quotient = 0;
        long rest = 0;
        for (int bit = Long.SIZE - 1 - Long.numberOfLeadingZeros(x); bit >= 0; bit--) {
            quotient <<= 1;
            rest <<= 1;
            if (rest >= z) {
                rest -= z;
                quotient++;
            }
            if (((x >>> bit) & 1) != 0) {
                rest += y;
                if (rest >= z) {
                    rest -= z;
                    quotient++;
                }
            }
        }
        return quotient;
    }

    /** The greatest common divisor of two positive numbers. */
    static long gcd(long x, long y) {
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return x;
    }

    private static BigInteger product(long x, long y) {
        return BigInteger.valueOf(x).multiply(BigInteger.valueOf(y));
    }
}
