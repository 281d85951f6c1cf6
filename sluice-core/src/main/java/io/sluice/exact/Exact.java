package io.sluice.exact;

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

    /*
     * A product that does not fit a long is divided bit by bit. That takes a tenth of a microsecond, but creates no garbage: these
     * products occur in decisions of slow limits, and a reload checks thousands of limits.
     */
    /** floor(x * y / z) for x, y >= 0 and 0 < z < 2^62. The result must fit a long. */
    public static long mulDiv(long x, long y, long z) {
        if (Math.multiplyHigh(x, y) == 0 && x * y >= 0) {
            return x * y / z;
        }
        return Math.addExact(Math.multiplyExact(x / z, y), longDivision(y, x % z, z));
    }

    /** x * y mod z, for x, y >= 0 and 0 < z < 2^62. */
    public static long mulMod(long x, long y, long z) {
        if (Math.multiplyHigh(x, y) == 0 && x * y >= 0) {
            return x * y % z;
        }
        long factor = y % z;
        long rest = 0;
        for (int bit = highestBit(x); bit >= 0; bit--) {
            rest = below(rest << 1, z);
            if (((x >>> bit) & 1) != 0) {
                rest = below(rest + factor, z);
            }
        }
        return rest;
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
        long times = x / z;
        return times > 0 && y > Long.MAX_VALUE / times ? Long.MAX_VALUE : sum(times * y, longDivision(y, x % z, z));
    }

    /** floor(x * y / z) for y < z < 2^62. */
    private static long longDivision(long x, long y, long z) {
        long quotient = 0;
        long rest = 0;
        for (int bit = highestBit(x); bit >= 0; bit--) {
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

    private static int highestBit(long x) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(x);
    }

    private static long below(long rest, long z) {
        return rest >= z ? rest - z : rest;
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
}
