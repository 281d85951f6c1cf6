package io.sluice.policy;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names that must differ. */
final class Names {
    private final Problems problems;
    private final Map<String, Place> names = new HashMap<>();

    Names(Problems problems) {
        this.problems = problems;
    }

    /** The name, or null, and a problem, if it was there before. Null stays null: that is known to be a problem. */
    @Nullable
    String add(@Nullable String name, YamlNode node) {
        if (name == null) {
            return null;
        }
        Place first = names.putIfAbsent(name, node.at());
        if (first == null) {
            return name;
        }
        problems.error(
                node.at(),
                "name: " + node.shown() + " a second time (expected: every name once; the first is in line "
                        + first.line() + ")");
        return null;
    }

    boolean contains(String name) {
        return names.containsKey(name);
    }
}
