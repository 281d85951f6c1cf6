package io.sluice.policy.yaml;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A part of a YAML file that knows its position. An alias is replaced by the node of its anchor. */
public sealed interface YamlNode {
    SourcePosition at();

    /** The node as an error message shows it. */
    String display();

    /**
     * A scalar value.
     *
     * @param plain whether it has no quotes, so that YAML could read it as a number or as null
     * @param inside the position of its first character, if it is on one line and without escapes
     */
    record Scalar(
            SourcePosition at,
            String text,
            boolean plain,
            @Nullable SourcePosition inside) implements YamlNode {
        private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");

        /** The values that the core schema of YAML 1.2 reads as a boolean or a number. */
        private static final Pattern BOOLEAN_OR_NUMBER = Pattern.compile("true|True|TRUE|false|False|FALSE"
                + "|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
                + "|[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?"
                + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

        /** Whether the value is empty, or a YAML word for null. */
        public boolean isNull() {
            return plain && NOTHING.contains(text);
        }

        /** Whether YAML reads it as text. */
        public boolean isText() {
            return !plain
                    || (!isNull()
                            && !(mayBeBooleanOrNumber()
                                    && BOOLEAN_OR_NUMBER.matcher(text).matches()));
        }

        /** Whether it begins like a boolean or a number. Most texts do not, and a matcher for each would be much garbage. */
        private boolean mayBeBooleanOrNumber() {
            char first = text.charAt(0);
            return (first >= '0' && first <= '9') || "-+.tTfF".indexOf(first) >= 0;
        }

        /** The position of a character of the text; the position of the text if that is not known. */
        public SourcePosition at(int index) {
            return inside == null
                    ? at
                    : inside.plus(text.codePointCount(0, Math.max(0, Math.min(index, text.length()))));
        }

        @Override
        public String display() {
            return isNull() ? "nothing" : Problems.quoted(text);
        }
    }

    record Sequence(SourcePosition at, List<YamlNode> items) implements YamlNode {
        @Override
        public String display() {
            return "a list";
        }
    }

    /**
     * A mapping of names to values.
     *
     * @param fields the fields, in the order of the file
     */
    record Mapping(SourcePosition at, Map<String, Field> fields) implements YamlNode {
        /** The value of a field; null if there is none. */
        public @Nullable YamlNode value(String name) {
            Field field = fields.get(name);
            return field == null ? null : field.value();
        }

        @Override
        public String display() {
            return "a mapping";
        }
    }

    /**
     * A field of a mapping.
     *
     * @param at the position of its name
     */
    record Field(SourcePosition at, YamlNode value) {}

    /**
     * The node at the end of a path, or the last node of the path that exists.
     *
     * @param path field names and list indexes
     */
    default YamlNode find(Object... path) {
        YamlNode node = this;
        for (Object step : path) {
            YamlNode next = null;
            if (node instanceof Mapping mapping && step instanceof String name) {
                next = mapping.value(name);
            } else if (node instanceof Sequence sequence && step instanceof Integer index) {
                next = sequence.items().get(index);
            }
            if (next == null) {
                break;
            }
            node = next;
        }
        return node;
    }
}
