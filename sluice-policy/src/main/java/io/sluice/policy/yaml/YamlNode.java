package io.sluice.policy.yaml;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A part of a YAML file that knows where it stands. Where an alias stood, its anchor's node stands again. */
public sealed interface YamlNode {
    SourcePosition at();

    /** What it is, as a message says it. */
    String shown();

    /**
     * A text.
     *
     * @param plain whether it stands without quotes, so that YAML could take it for a number or for nothing
     * @param inside where its first character stands, if every character stands for itself on one line
     */
    record Scalar(
            SourcePosition at,
            String text,
            boolean plain,
            @Nullable SourcePosition inside) implements YamlNode {
        private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");

        /** What the core schema of YAML 1.2 takes for something else than a text or nothing. */
        private static final Pattern BOOLEAN_OR_NUMBER = Pattern.compile("true|True|TRUE|false|False|FALSE"
                + "|[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+"
                + "|[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?"
                + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

        /** Whether nothing was written, or YAML's word for it. */
        public boolean isNothing() {
            return plain && NOTHING.contains(text);
        }

        /** Whether YAML, too, takes it for a text. */
        public boolean isText() {
            return !plain || (!isNothing() && !BOOLEAN_OR_NUMBER.matcher(text).matches());
        }

        /** Where a character of the text stands, or the text if that cannot be told. */
        public SourcePosition at(int index) {
            return inside == null
                    ? at
                    : inside.plus(text.codePointCount(0, Math.max(0, Math.min(index, text.length()))));
        }

        @Override
        public String shown() {
            return isNothing() ? "nothing" : Problems.quoted(text);
        }
    }

    record Sequence(SourcePosition at, List<YamlNode> items) implements YamlNode {
        @Override
        public String shown() {
            return "a list";
        }
    }

    /**
     * Names with values.
     *
     * @param fields in the order of the file
     */
    record Mapping(SourcePosition at, Map<String, Field> fields) implements YamlNode {
        /** The value of that name, or null if there is none. */
        public @Nullable YamlNode value(String name) {
            Field field = fields.get(name);
            return field == null ? null : field.value();
        }

        @Override
        public String shown() {
            return "a mapping";
        }
    }

    /**
     * A value of a mapping.
     *
     * @param at where its name stands
     */
    record Field(SourcePosition at, YamlNode value) {}

    /**
     * The node at the end of a path, or as much of the path as there is.
     *
     * @param path names of fields and indices of items
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
