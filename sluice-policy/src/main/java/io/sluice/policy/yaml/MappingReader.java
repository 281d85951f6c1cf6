package io.sluice.policy.yaml;

import io.sluice.policy.Suggestion;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A mapping of the file whose fields are known. */
public final class MappingReader {
    private final YamlNode.Mapping mapping;
    private final Problems problems;

    private MappingReader(YamlNode.Mapping mapping, Problems problems) {
        this.mapping = mapping;
        this.problems = problems;
    }

    /**
     * The section, or null if the node is no mapping. Fields that are not known become problems.
     *
     * @param name what a message calls it
     */
    public static @Nullable MappingReader of(String name, YamlNode node, List<String> known, Problems problems) {
        if (!(node instanceof YamlNode.Mapping mapping)) {
            problems.error(
                    node.at(),
                    name + ": " + node.shown() + " (expected: a mapping with " + String.join(", ", known) + ")");
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
        String nearest = Suggestion.to(field, known);
        return " (expected: one of " + String.join(", ", known)
                + (nearest == null ? ")" : "; did you mean " + nearest + "?)");
    }

    public YamlNode node() {
        return mapping;
    }

    /** The field's value, or null if it is absent. */
    public @Nullable YamlNode optional(String field) {
        return mapping.value(field);
    }

    /** The field's value, or null if it is absent or nothing is written there. */
    public @Nullable YamlNode given(String field) {
        YamlNode value = optional(field);
        return value instanceof YamlNode.Scalar scalar && scalar.isNothing() ? null : value;
    }

    /** The field's value, or null, and a problem, if it is absent. */
    public @Nullable YamlNode required(String field, String expected) {
        YamlNode value = optional(field);
        if (value == null) {
            problems.error(mapping.at(), field + ": missing (expected: " + expected + ")");
        }
        return value;
    }

    /** What the reader makes of the field's value, or {@code otherwise} if it is absent. */
    public <T> @Nullable T optional(
            String field, @Nullable T otherwise, BiFunction<String, YamlNode, @Nullable T> reader) {
        YamlNode value = optional(field);
        return value == null ? otherwise : reader.apply(field, value);
    }

    /** What the reader makes of the field's value, or null, and a problem, if it is absent. */
    public <T> @Nullable T required(String field, String expected, BiFunction<String, YamlNode, @Nullable T> reader) {
        YamlNode value = required(field, expected);
        return value == null ? null : reader.apply(field, value);
    }
}
