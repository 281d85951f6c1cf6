package io.sluice.policy.match;

import io.sluice.policy.Cidr;
import io.sluice.policy.Condition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A condition on one attribute, compiled for fast tests. Immutable. */
public interface CompiledCondition {
    /** Whether the condition holds for a value from {@link AttributeSlots#values}. */
    boolean holds(String value);

    /** Compiles a condition on an attribute. Paths in the condition are normalised as request paths are. */
    static CompiledCondition of(String attribute, Condition condition) {
        if (condition instanceof Condition.Exact exact) {
            return exact(attribute, exact)::equals;
        } else if (condition instanceof Condition.Glob glob) {
            return CompiledGlob.of(pattern(attribute, glob));
        } else if (condition instanceof Condition.AnyOf any) {
            return anyOf(attribute, any.conditions());
        } else if (condition instanceof Condition.Regex regex) {
            return regex.pattern()::matches;
        } else if (condition instanceof Condition.InCidr in) {
            return in.network()::contains;
        } else {
            CompiledCondition compiled = of(attribute, ((Condition.Not) condition).condition());
            return value -> !compiled.holds(value);
        }
    }

    /** The text that a value must equal. */
    static String exact(String attribute, Condition.Exact condition) {
        return attribute.equals(AttributeSlots.PATH) ? PathNormaliser.normalise(condition.text()) : condition.text();
    }

    /** The glob that a value must match. */
    static String pattern(String attribute, Condition.Glob condition) {
        String pattern = condition.pattern();
        // A question mark starts no query in a pattern, and an escaped star must not become a wildcard.
        boolean plain = pattern.indexOf('?') < 0
                && pattern.indexOf('#') < 0
                && !pattern.contains("%2a")
                && !pattern.contains("%2A");
        return attribute.equals(AttributeSlots.PATH) && plain ? PathNormaliser.normalise(pattern) : pattern;
    }

    private static CompiledCondition anyOf(String attribute, List<Condition> conditions) {
        Set<String> texts = new HashSet<>();
        List<Cidr> networks = new ArrayList<>();
        List<CompiledCondition> others = new ArrayList<>();
        for (Condition condition : conditions) {
            if (condition instanceof Condition.Exact exact) {
                texts.add(exact(attribute, exact));
            } else if (condition instanceof Condition.InCidr in) {
                networks.add(in.network());
            } else {
                others.add(of(attribute, condition));
            }
        }
        if (!networks.isEmpty()) {
            others.add(0, new NetworkSet(networks)::contains);
        }
        if (!texts.isEmpty()) {
            others.add(0, Set.copyOf(texts)::contains);
        }
        CompiledCondition[] alternatives = others.toArray(CompiledCondition[]::new);
        return alternatives.length == 1
                ? alternatives[0]
                : value -> {
                    for (CompiledCondition alternative : alternatives) {
                        if (alternative.holds(value)) {
                            return true;
                        }
                    }
                    return false;
                };
    }
}
