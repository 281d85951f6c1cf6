package io.sluice.policy;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What is asked of one attribute's value. An attribute that is absent satisfies no condition. Prints as the canonical text
 * by which an override without a name is known.
 */
public sealed interface Condition {
    /** The value is that text. */
    record Exact(String text) implements Condition {
        public Exact {
            Objects.requireNonNull(text, "text");
        }

        @Override
        public String toString() {
            return JsonText.quoted(text);
        }
    }

    /** The value is like that: {@code *} stands for anything within a {@code /} segment, {@code **} for anything. */
    record Glob(String pattern) implements Condition {
        public Glob {
            Objects.requireNonNull(pattern, "pattern");
        }

        @Override
        public String toString() {
            return JsonText.quoted(pattern);
        }
    }

    /** One of them holds. */
    record AnyOf(List<Condition> conditions) implements Condition {
        public AnyOf {
            conditions = List.copyOf(conditions);
        }

        /** The order does not matter, so it does not show. */
        @Override
        public String toString() {
            return conditions.stream()
                    .map(Condition::toString)
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", ", "[", "]"));
        }
    }

    /** The whole value matches the RE2 expression. Equal if the expressions are. */
    record Regex(Pattern pattern) implements Condition {
        public Regex {
            Objects.requireNonNull(pattern, "pattern");
        }

        @Override
        public String toString() {
            return "{regex: " + JsonText.quoted(pattern.pattern()) + "}";
        }
    }

    /** The value is an address in that network. */
    record InCidr(Cidr network) implements Condition {
        public InCidr {
            Objects.requireNonNull(network, "network");
        }

        @Override
        public String toString() {
            return "{cidr: " + network + "}";
        }
    }

    /** It does not hold. Of a network: the value is no address in it, perhaps no address at all. */
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
