package io.sluice.policy;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A condition on the value of one attribute. An absent attribute satisfies no condition. The text is canonical: it
 * identifies an override without a name.
 */
public sealed interface Condition {
    /** The value equals the text. */
    record Exact(String text) implements Condition {
        public Exact {
            Objects.requireNonNull(text, "text");
        }

        @Override
        public String toString() {
            return JsonText.quoted(text);
        }
    }

    /**
     * The value matches the glob: {@code *} stands for any text within a {@code /} segment, {@code **} for any text.
     */
    record Glob(String pattern) implements Condition {
        public Glob {
            Objects.requireNonNull(pattern, "pattern");
        }

        @Override
        public String toString() {
            return JsonText.quoted(pattern);
        }
    }

    /** At least one of the conditions holds. */
    record AnyOf(List<Condition> conditions) implements Condition {
        public AnyOf {
            conditions = List.copyOf(conditions);
        }

        /** Sorted, because the order has no meaning. */
        @Override
        public String toString() {
            return conditions.stream()
                    .map(Condition::toString)
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /** The whole value matches the RE2 regular expression. Two are equal if their expressions are equal. */
    record Regex(Pattern pattern) implements Condition {
        public Regex {
            Objects.requireNonNull(pattern, "pattern");
        }

        @Override
        public String toString() {
            return "{regex: " + JsonText.quoted(pattern.pattern()) + "}";
        }
    }

    /** The value is an address in the network. */
    record InCidr(Cidr network) implements Condition {
        public InCidr {
            Objects.requireNonNull(network, "network");
        }

        @Override
        public String toString() {
            return "{cidr: " + network + "}";
        }
    }

    /** The condition does not hold. For a network: the value is an address outside it, or not an address. */
    record Not(Condition condition) implements Condition {
        public Not {
            Objects.requireNonNull(condition, "condition");
        }

        @Override
        public String toString() {
            return "{not: " + condition + "}";
        }
    }
}
