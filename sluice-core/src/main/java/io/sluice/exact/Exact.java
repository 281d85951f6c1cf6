package io.sluice.exact;

import java.math.BigInteger;
import java.time.Duration;
import java.util.Objects;

/*
 * What keeps every decision exact, here and on stores whose only number is a double: no time, count or intermediate
 * result may reach 2^53. So the numbers of a limit stay within 2^50 (a product with a small digit still fits, which is
 * what splitting a long multiplication needs), and the time in which a limit forgets what was used stays within 2^52 us
 * (142 years), so that it can be added to any time of this century.
 */
/** Exact integer arithmetic, and the refusal of what could not be exact. */
public final class Exact {
    /** The most permits, and the most microseconds, that a limit may name. */
    public static final long MAX_NUMBER = 1L << 50;

    /** The most permits that a bucket may have lent, by debt or by force. */
    public static final long MAX_DEBT = 1L << 52;

    /** The longest time, in microseconds, in which a limit may come back to fresh. */
    public static final long MAX_MICROS = 1L << 52;

    /** How far from each other two times may be, in microseconds. */
    public static final long MAX_TIME_SPAN = 1L << 54;

    private Exact() {}

    /** The sum of two numbers that are not negative. More than any limit has stays more: it saturates. */
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

    /** Refuses a bucket that would take longer than {@link #MAX_MICROS} to refill. */
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

    /** A wait in microseconds, rounded up; what is longer than {@link #MAX_MICROS} is as good as for ever. */
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

    /** floor(x * y / z) for x, y >= 0 and z > 0, where the result fits. */
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

    /** floor(x * y / z), or {@link Long#MAX_VALUE} where that is less. */
    public static long mulDivSaturated(long x, long y, long z) {
        BigInteger result = product(x, y).divide(BigInteger.valueOf(z));
        return result.bitLength() > 63 ? Long.MAX_VALUE : result.longValueExact();
    }

    private static BigInteger product(long x, long y) {
        return BigInteger.valueOf(x).multiply(BigInteger.valueOf(y));
    }
}
