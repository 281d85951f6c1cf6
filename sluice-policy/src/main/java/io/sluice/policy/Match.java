package io.sluice.policy;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Conditions on attributes, all of which must hold. Without any, everything matches. Prints as canonical text: equal
 * matches print alike, whatever the order in which they were written.
 *
 * @param conditions by attribute, in the order of the attributes' names
 */
public record Match(Map<String, Condition> conditions) {
    /** What everything matches. */
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
