package io.sluice.policy;

import io.sluice.adapt.LoadRule;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How the limits of a policy follow a signal: each number of permits becomes {@code max(1, floor(f * number))}. The factor f begins at
 * 1. Only for policies with scope process, because each process follows what it measures itself.
 *
 * @param signal the name of the signal: {@link #CPU}, {@link #LATENCY}, {@link #ERRORS}, or a name that the application gave
 * @param percentile the percentile of the latency, above 0 and at most 100; null for other signals
 * @param target the latency that counts as 1; null for other signals
 * @param rule how the factor follows the signal
 */
public record Adapt(
        String signal,
        @Nullable BigDecimal percentile,
        @Nullable Duration target,
        LoadRule rule) {
    /** The share of the CPU time in use, see {@link io.sluice.adapt.Signals#cpu()}. */
    public static final String CPU = "cpu";

    /** A percentile of the reported latencies, as a share of the target, see {@link io.sluice.adapt.Signals#latency}. */
    public static final String LATENCY = "latency";

    /** The share of the reported requests that failed, see {@link io.sluice.adapt.Signals#errors()}. */
    public static final String ERRORS = "errors";

    private static final MathContext SHOWN = new MathContext(6, RoundingMode.HALF_EVEN);

    public Adapt {
        Objects.requireNonNull(signal, "signal");
        Objects.requireNonNull(rule, "rule");
        boolean isLatency = signal.equals(LATENCY);
        if (isLatency != (percentile != null) || isLatency != (target != null)) {
            throw new IllegalArgumentException("signal: " + signal + ", percentile: " + percentile + ", target: "
                    + target + " (expected: a percentile and a target with the signal latency, and only there)");
        }
    }

    /** A signal without a target: any but {@link #LATENCY}. */
    public static Adapt to(String signal, LoadRule rule) {
        return new Adapt(signal, null, null, rule);
    }

    /** A factor for a reader, such as 0.75. */
    public static String factorText(BigDecimal factor) {
        return factor.round(SHOWN).stripTrailingZeros().toPlainString();
    }

    /** The fields as in a policy file. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder("signal: ").append(signal);
        if (percentile != null && target != null) {
            out.append(", percentile: ").append(percentile.toPlainString());
            out.append(", target: ").append(target.toMillis()).append("ms");
        }
        return out.append(", above: ")
                .append(rule.above().toPlainString())
                .append(", below: ")
                .append(rule.below().toPlainString())
                .append(", down: ")
                .append(rule.down().toPlainString())
                .append(", up: ")
                .append(rule.up().toPlainString())
                .append(", between: [")
                .append(rule.least().toPlainString())
                .append(", ")
                .append(rule.most().toPlainString())
                .append("], every: ")
                .append(rule.every().toMillis())
                .append("ms")
                .toString();
    }
}
