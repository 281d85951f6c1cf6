package io.sluice.policy.yaml;

import io.sluice.policy.Suggestion;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a mapping. Unknown fields become problems. */
public final class MappingReader {
    private final YamlNode.Mapping mapping;
    private final Problems problems;

    private MappingReader(YamlNode.Mapping mapping, Problems problems) {
        this.mapping = mapping;
        this.problems = problems;
    }

    /**
     * A reader of the mapping; null if the node is not a mapping. Unknown fields become problems.
     *
     * @param name the name of the mapping in messages
     * @param known the names of the allowed fields
     */
    public static @Nullable MappingReader of(String name, YamlNode node, List<String> known, Problems problems) {
        if (!(node instanceof YamlNode.Mapping mapping)) {
            problems.error(
                    node.at(),
                    name + ": " + node.display() + " (expected: a mapping with " + String.join(", ", known) + ")");
            return null;
        }
        mapping.fields().forEach((field, value) -> {
            if (!known.contains(field) && !problems.isFull()) {
                problems.error(value.at(), "unknown field " + Problems.quoted(field) + expected(field, known));
            }
        });
        return new MappingReader(mapping, problems);
    }

    private static String expected(String field, List<String> known) {
        String nearest = Suggestion.nearest(field, known);
        return " (expected: one of " + String.join(", ", known)
                + (nearest == null ? ")" : "; did you mean " + nearest + "?)");
    }

    /** The mapping itself. */
    public YamlNode node() {
        return mapping;
    }

    /** The value of a field; null if it is absent. */
    public @Nullable YamlNode optional(String field) {
        return mapping.value(field);
    }

    /** The value of a field; null if it is absent or empty. */
    public @Nullable YamlNode nonNull(String field) {
        YamlNode value = optional(field);
        return value instanceof YamlNode.Scalar scalar && scalar.isNull() ? null : value;
    }

    /** The value of a field; null and a problem if it is absent. */
    public @Nullable YamlNode required(String field, String expected) {
        YamlNode value = optional(field);
        if (value == null) {
            problems.error(mapping.at(), field + ": missing (expected: " + expected + ")");
        }
        return value;
    }

    /** Reads the value of a field; {@code otherwise} if it is absent. */
    public <T> @Nullable T optional(
            String field, @Nullable T otherwise, BiFunction<String, YamlNode, @Nullable T> reader) {
        YamlNode value = optional(field);
        return value == null ? otherwise : reader.apply(field, value);
    }

    /** Reads the value of a field; null and a problem if it is absent. */
    public <T> @Nullable T required(String field, String expected, BiFunction<String, YamlNode, @Nullable T> reader) {
        YamlNode value = required(field, expected);
        return value == null ? null : reader.apply(field, value);
    }
}
