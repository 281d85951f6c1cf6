package io.sluice.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A match, compiled for the values that {@link Attributes#values} gives. Immutable. */
final class Matcher {
    private final Term[] terms;

    Matcher(Match match, Attributes attributes) {
        this.terms = match.conditions().entrySet().stream()
                .map(entry -> Term.of(entry, attributes))
                .toArray(Term[]::new);
    }

    /** Whether all conditions hold. An absent attribute satisfies none, not even {@code not}. */
    boolean matches(@Nullable String[] values) {
        for (Term term : terms) {
            if (!term.holds(values)) {
                return false;
            }
        }
        return true;
    }

    /** The conditions that do not hold, in the order of the attributes' names; none if it matches. */
    List<Mismatch> whyNot(@Nullable String[] values) {
        List<Mismatch> mismatches = new ArrayList<>();
        for (Term term : terms) {
            if (!term.holds(values)) {
                mismatches.add(new Mismatch(term.attribute, term.condition, values[term.slot]));
            }
        }
        return mismatches;
    }

    List<Term> terms() {
        return List.of(terms);
    }

    /** One condition. */
    record Term(String attribute, int slot, Condition condition, Check check) {
        static Term of(Map.Entry<String, Condition> entry, Attributes attributes) {
            String attribute = entry.getKey();
            return new Term(
                    attribute, attributes.slot(attribute), entry.getValue(), Check.of(attribute, entry.getValue()));
        }

        boolean holds(@Nullable String[] values) {
            String value = values[slot];
            return value != null && check.holds(value);
        }
    }
}
