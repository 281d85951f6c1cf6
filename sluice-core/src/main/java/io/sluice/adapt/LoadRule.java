package io.sluice.adapt;

import io.sluice.exact.Exact;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Objects;

/**
 * How a limit follows a signal. At each {@code every}: if all samples since the last one were above {@code above}, the factor is
 * multiplied by {@code down}. If all were below {@code below}, and at least three {@code every} have passed since the factor was
 * last cut, it is multiplied by {@code up}. It starts at 1 and stays between {@code least} and {@code most}.
 *
 * @param above the load above which the factor falls
 * @param below the load below which it rises
 * @param down what it falls by, more than 0 and less than 1
 * @param up what it rises by, more than 1
 * @param least the smallest factor, at most 1
 * @param most the largest factor, at least 1
 * @param every how often the factor may change
 */
public record LoadRule(
        BigDecimal above,
        BigDecimal below,
        BigDecimal down,
        BigDecimal up,
        BigDecimal least,
        BigDecimal most,
        Duration every) {
    private static final BigDecimal MAX_FACTOR = BigDecimal.valueOf(1000);

    /** Above 80% half of it, below 50% 1.5 times of it, between a fifth and the whole, every second. */
    public static final LoadRule DEFAULT = new LoadRule(
            new BigDecimal("0.8"),
            new BigDecimal("0.5"),
            new BigDecimal("0.5"),
            new BigDecimal("1.5"),
            new BigDecimal("0.2"),
            BigDecimal.ONE,
            Duration.ofSeconds(1));

    public LoadRule {
        Objects.requireNonNull(above, "above");
        Objects.requireNonNull(below, "below");
        Exact.requireDuration("every", every);
        if (below.compareTo(above) > 0) {
            throw new IllegalArgumentException(
                    "below: " + below + " (expected: at most above, which is " + above + ")");
        }
        require("down", down, down.signum() > 0 && down.compareTo(BigDecimal.ONE) < 0, "more than 0 and less than 1");
        require(
                "up",
                up,
                up.compareTo(BigDecimal.ONE) > 0 && up.compareTo(MAX_FACTOR) <= 0,
                "more than 1, at most 1000");
        require("least", least, least.signum() > 0 && least.compareTo(BigDecimal.ONE) <= 0, "more than 0, at most 1");
        require("most", most, most.compareTo(BigDecimal.ONE) >= 0 && most.compareTo(MAX_FACTOR) <= 0, "1 to 1000");
    }

    private static void require(String name, BigDecimal value, boolean holds, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
        }
    }
}
