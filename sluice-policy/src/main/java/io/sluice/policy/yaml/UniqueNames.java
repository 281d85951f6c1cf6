package io.sluice.policy.yaml;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads names that must be unique. */
public final class UniqueNames {
    private final Problems problems;
    private final ValueReader values;
    private final Map<String, SourcePosition> names = new HashMap<>();

    public UniqueNames(Problems problems) {
        this.problems = problems;
        this.values = new ValueReader(problems);
    }

    /** Reads a name; null and a problem if it is not a name, or a duplicate. */
    public @Nullable String read(String field, YamlNode node) {
        String name = values.name(field, node);
        if (name == null) {
            return null;
        }
        SourcePosition first = names.putIfAbsent(name, node.at());
        if (first == null) {
            return name;
        }
        problems.error(
                node.at(),
                field + ": " + node.display() + " a second time (expected: every name once; the first is in line "
                        + first.line() + ")");
        return null;
    }

    /** Whether this name was read. */
    public boolean contains(String name) {
        return names.containsKey(name);
    }
}
