package io.sluice;

import io.sluice.exact.DurationText;
import io.sluice.exact.Exact;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The words in the text of a limit, for the parser and for {@code toString}. */
final class LimitText {
    /** The words for units of time, with their length in microseconds. */
    static final Map<String, Long> UNITS = new LinkedHashMap<>();

    static {
        UNITS.put("ms", DurationText.MS);
        UNITS.put("s", DurationText.SECOND);
        UNITS.put("sec", DurationText.SECOND);
        UNITS.put("second", DurationText.SECOND);
        UNITS.put("m", DurationText.MINUTE);
        UNITS.put("min", DurationText.MINUTE);
        UNITS.put("minute", DurationText.MINUTE);
        UNITS.put("h", DurationText.HOUR);
        UNITS.put("hour", DurationText.HOUR);
        UNITS.put("d", DurationText.DAY);
        UNITS.put("day", DurationText.DAY);
    }

    private LimitText() {}

    /** The algorithm and the rate, as in {@code token-bucket 10/s} or {@code token-bucket 2 per 5s}. */
    static String rate(Limit limit, long permits, Duration period) {
        return limit.algorithm() + " " + rate(permits, period);
    }

    private static String rate(long permits, Duration period) {
        String unit = unit(Exact.micros(period));
        return permits + (unit.isEmpty() ? " per " + DurationText.of(period) : "/" + unit);
    }

    /** A rate with a fraction of a permit in whole numbers, as in {@code 1 per 2s}. Empty if the numbers are too large. */
    static String wholeRate(String whole, String fraction, Duration period) {
        BigDecimal permits = new BigDecimal("0" + whole + "." + fraction).stripTrailingZeros();
        if (permits.signum() == 0) {
            return "";
        }
        BigInteger parts = BigInteger.TEN.pow(Math.max(0, permits.scale()));
        BigInteger number = permits.movePointRight(Math.max(0, permits.scale())).toBigIntegerExact();
        BigInteger common = number.gcd(parts);
        BigInteger micros = parts.divide(common).multiply(BigInteger.valueOf(Exact.micros(period)));
        BigInteger most = BigInteger.valueOf(Exact.MAX_NUMBER);
        if (micros.compareTo(most) > 0 || number.divide(common).compareTo(most) > 0) {
            return "";
        }
        return rate(number.divide(common).longValueExact(), Exact.duration(micros.longValueExact()));
    }

    private static String unit(long micros) {
        if (micros == DurationText.MINUTE) {
            return "min";
        }
        String text = DurationText.of(Exact.duration(micros));
        return text.charAt(0) == '1' && !Character.isDigit(text.charAt(1)) ? text.substring(1) : "";
    }
}
