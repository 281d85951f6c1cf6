package io.sluice.policy.reader;

import io.sluice.adapt.LoadRule;
import io.sluice.policy.Adapt;
import io.sluice.policy.Scope;
import io.sluice.policy.yaml.MappingReader;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.ValueReader;
import io.sluice.policy.yaml.YamlNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the {@code adapt} of a policy. */
final class AdaptReader {
    private static final List<String> FIELDS =
            List.of("signal", "percentile", "target", "above", "below", "down", "up", "between", "every");
    private static final String SIGNAL = "cpu, latency, errors, or the name of a signal of the application";
    private static final String THRESHOLD = "a number or a percentage, such as 0.8 or 80%";
    private static final String BETWEEN =
            "the lowest and the highest factor, such as [20%, 150%]: above 0 and at most 1, and from 1 to 1000";
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
    private static final BigDecimal MOST = BigDecimal.valueOf(1000);

    private final Problems problems;
    private final ValueReader values;

    AdaptReader(Problems problems, ValueReader values) {
        this.problems = problems;
        this.values = values;
    }

    /** Returns null if there is none, or if it has errors. */
    @Nullable
    Adapt adapt(@Nullable YamlNode node, Scope scope) {
        MappingReader fields = node == null ? null : MappingReader.of("adapt", node, FIELDS, problems);
        if (fields == null) {
            return null;
        }
        if (scope == Scope.SHARED) {
            problems.error(
                    fields.node().at(),
                    "adapt: the policy has scope: shared (expected: scope: process, because each process follows"
                            + " what it measures itself)");
        }
        String signal = fields.required("signal", SIGNAL, this::signal);
        BigDecimal percentile = percentile(fields, signal);
        Duration target = target(fields, signal);
        BigDecimal above = number(fields, "above", LoadRule.DEFAULT.above(), value -> true, THRESHOLD);
        BigDecimal below = number(fields, "below", LoadRule.DEFAULT.below(), value -> true, THRESHOLD);
        if (above != null && below != null && below.compareTo(above) > 0) {
            YamlNode at = fields.optional("below") == null ? fields.optional("above") : fields.optional("below");
            problems.error(
                    at == null ? fields.node().at() : at.at(),
                    "below: " + below.toPlainString() + " (expected: at most above, which is " + above.toPlainString()
                            + ")");
        }
        BigDecimal down = number(
                fields,
                "down",
                LoadRule.DEFAULT.down(),
                value -> value.signum() > 0 && value.compareTo(BigDecimal.ONE) < 0,
                "a factor above 0 and below 1, such as 0.5");
        BigDecimal up = number(
                fields,
                "up",
                LoadRule.DEFAULT.up(),
                value -> value.compareTo(BigDecimal.ONE) > 0 && value.compareTo(MOST) <= 0,
                "a factor above 1 and at most 1000, such as 1.5");
        List<BigDecimal> between = between(fields.optional("between"));
        Duration every = fields.optional("every", LoadRule.DEFAULT.every(), values::shortDuration);
        boolean isLatency = Adapt.LATENCY.equals(signal);
        if (scope == Scope.SHARED
                || signal == null
                || (isLatency && (percentile == null || target == null))
                || above == null
                || below == null
                || below.compareTo(above) > 0
                || down == null
                || up == null
                || between == null
                || every == null) {
            return null;
        }
        LoadRule rule = new LoadRule(above, below, down, up, between.get(0), between.get(1), every);
        return new Adapt(signal, percentile, target, rule);
    }

    private @Nullable String signal(String field, YamlNode node) {
        String name = values.text(field, node, SIGNAL);
        if (name != null && !ValueReader.isName(name)) {
            values.refuse(field, node, SIGNAL);
            return null;
        }
        return name;
    }

    private @Nullable BigDecimal percentile(MappingReader fields, @Nullable String signal) {
        if (!requireLatency(fields, "percentile", signal)) {
            return null;
        }
        return number(
                fields,
                "percentile",
                new BigDecimal(99),
                value -> value.signum() > 0 && value.compareTo(HUNDRED) <= 0,
                "a percentile above 0 and at most 100, such as 99");
    }

    private @Nullable Duration target(MappingReader fields, @Nullable String signal) {
        if (!requireLatency(fields, "target", signal)) {
            return null;
        }
        return fields.required("target", "the latency that counts as 100%, such as 250ms", values::shortDuration);
    }

    /** Whether the signal is the latency. Refuses a field that belongs to it if not. */
    private boolean requireLatency(MappingReader fields, String field, @Nullable String signal) {
        boolean isLatency = Adapt.LATENCY.equals(signal);
        YamlNode value = fields.optional(field);
        if (!isLatency && signal != null && value != null) {
            problems.error(
                    value.at(),
                    field + ": has no meaning with signal: " + signal + " (expected: signal: latency, or no " + field
                            + ")");
        }
        return isLatency;
    }

    private @Nullable BigDecimal number(
            MappingReader fields, String field, BigDecimal otherwise, Predicate<BigDecimal> holds, String expected) {
        YamlNode node = fields.optional(field);
        return node == null ? otherwise : values.number(field, node, holds, expected);
    }

    private @Nullable List<BigDecimal> between(@Nullable YamlNode node) {
        if (node == null) {
            return List.of(LoadRule.DEFAULT.least(), LoadRule.DEFAULT.most());
        }
        List<YamlNode> items = node instanceof YamlNode.Sequence sequence ? sequence.items() : List.of();
        if (items.size() != 2) {
            values.refuse("between", node, BETWEEN);
            return null;
        }
        BigDecimal least = values.number(
                "between",
                items.get(0),
                value -> value.signum() > 0 && value.compareTo(BigDecimal.ONE) <= 0,
                "the lowest factor, above 0 and at most 1, such as 20%");
        BigDecimal most = values.number(
                "between",
                items.get(1),
                value -> value.compareTo(BigDecimal.ONE) >= 0 && value.compareTo(MOST) <= 0,
                "the highest factor, from 1 to 1000, such as 150%");
        return least == null || most == null ? null : List.of(least, most);
    }
}
