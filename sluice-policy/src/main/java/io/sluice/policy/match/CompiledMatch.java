package io.sluice.policy.match;

import io.sluice.policy.Condition;
import io.sluice.policy.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A match, compiled for values from {@link AttributeSlots#values}. Immutable. */
public final class CompiledMatch {
    private final Term[] terms;

    public CompiledMatch(Match match, AttributeSlots attributes) {
        this.terms = match.conditions().entrySet().stream()
                .map(entry -> Term.of(entry, attributes))
                .toArray(Term[]::new);
    }

    /** Whether all conditions hold. An absent attribute satisfies none, not even {@code not}. */
    public boolean matches(@Nullable String[] values) {
        for (Term term : terms) {
            if (!term.holds(values)) {
                return false;
            }
        }
        return true;
    }

    /** The conditions that do not hold, in the order of the attributes' names; empty if the request matches. */
    public List<Mismatch> mismatches(@Nullable String[] values) {
        List<Mismatch> found = new ArrayList<>();
        for (Term term : terms) {
            if (!term.holds(values)) {
                found.add(new Mismatch(term.attribute, term.condition, values[term.slot]));
            }
        }
        return found;
    }

    List<Term> terms() {
        return List.of(terms);
    }

    /** The condition on one attribute. */
    record Term(String attribute, int slot, Condition condition, CompiledCondition compiled) {
        static Term of(Map.Entry<String, Condition> entry, AttributeSlots attributes) {
            String attribute = entry.getKey();
            return new Term(
                    attribute,
                    attributes.slot(attribute),
                    entry.getValue(),
                    CompiledCondition.of(attribute, entry.getValue()));
        }

        boolean holds(@Nullable String[] values) {
            String value = values[slot];
            return value != null && compiled.holds(value);
        }
    }
}
