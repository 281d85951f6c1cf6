package io.sluice.policy;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Conditions on attributes, which must all hold. A match without conditions matches every request. The text is
 * canonical: equal matches have equal texts, in whatever order they were written.
 *
 * @param conditions the conditions by attribute, sorted by the attributes' names
 */
public record Match(Map<String, Condition> conditions) {
    /** Matches every request. */
    public static final Match ALL = new Match(Map.of());

    public Match {
        conditions = Collections.unmodifiableMap(new TreeMap<>(conditions));
    }

    @Override
    public String toString() {
        StringBuilder out = new StringBuilder("{");
        conditions.forEach((attribute, condition) -> {
            if (out.length() > 1) {
                out.append(", ");
            }
            JsonText.appendQuoted(out, attribute);
            out.append(": ").append(condition);
        });
        return out.append('}').toString();
    }
}
