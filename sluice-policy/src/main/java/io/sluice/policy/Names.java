package io.sluice.policy;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names that must differ. */
final class Names {
    private final Problems problems;
    private final Values values;
    private final Map<String, Place> names = new HashMap<>();

    Names(Problems problems) {
        this.problems = problems;
        this.values = new Values(problems);
    }

    /** The name that stands there, or null, and a problem, if it is none or was there before. */
    @Nullable
    String read(String field, YamlNode node) {
        String name = values.name(field, node);
        if (name == null) {
            return null;
        }
        Place first = names.putIfAbsent(name, node.at());
        if (first == null) {
            return name;
        }
        problems.error(
                node.at(),
                field + ": " + node.shown() + " a second time (expected: every name once; the first is in line "
                        + first.line() + ")");
        return null;
    }

    boolean contains(String name) {
        return names.containsKey(name);
    }
}
