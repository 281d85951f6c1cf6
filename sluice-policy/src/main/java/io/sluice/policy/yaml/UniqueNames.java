package io.sluice.policy.yaml;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names that must differ. */
public final class UniqueNames {
    private final Problems problems;
    private final ValueReader values;
    private final Map<String, SourcePosition> names = new HashMap<>();

    public UniqueNames(Problems problems) {
        this.problems = problems;
        this.values = new ValueReader(problems);
    }

    /** The name that stands there, or null, and a problem, if it is none or was there before. */
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
                field + ": " + node.shown() + " a second time (expected: every name once; the first is in line "
                        + first.line() + ")");
        return null;
    }

    public boolean contains(String name) {
        return names.containsKey(name);
    }
}
