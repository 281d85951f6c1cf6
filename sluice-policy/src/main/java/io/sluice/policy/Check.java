package io.sluice.policy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A condition, compiled for speed. Immutable. */
interface Check {
    /** Whether the condition holds for a value, in the way in which {@link Attributes#values} has it. */
    boolean holds(String value);

    /** Compiles a condition on an attribute. What is asked of the path is written as request paths are. */
    static Check of(String attribute, Condition condition) {
        if (condition instanceof Condition.Exact exact) {
            return exact(attribute, exact)::equals;
        } else if (condition instanceof Condition.Glob glob) {
            return GlobCheck.of(pattern(attribute, glob));
        } else if (condition instanceof Condition.AnyOf any) {
            return anyOf(attribute, any.conditions());
        } else if (condition instanceof Condition.Regex regex) {
            return regex.pattern()::matches;
        } else if (condition instanceof Condition.InCidr in) {
            return in.network()::contains;
        } else {
            Check check = of(attribute, ((Condition.Not) condition).condition());
            return value -> !check.holds(value);
        }
    }

    /** The text that a value must be. */
    static String exact(String attribute, Condition.Exact condition) {
        return attribute.equals(Attributes.PATH) ? Paths.normalise(condition.text()) : condition.text();
    }

    /** The pattern that a value must be like. */
    static String pattern(String attribute, Condition.Glob condition) {
        String pattern = condition.pattern();
        // A question mark is no query here, and an escaped star must not become one.
        boolean plain = pattern.indexOf('?') < 0
                && pattern.indexOf('#') < 0
                && !pattern.contains("%2a")
                && !pattern.contains("%2A");
        return attribute.equals(Attributes.PATH) && plain ? Paths.normalise(pattern) : pattern;
    }

    private static Check anyOf(String attribute, List<Condition> conditions) {
        Set<String> texts = new HashSet<>();
        List<Cidr> networks = new ArrayList<>();
        List<Check> others = new ArrayList<>();
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
            others.add(0, new Networks(networks)::contain);
        }
        if (!texts.isEmpty()) {
            others.add(0, Set.copyOf(texts)::contains);
        }
        Check[] checks = others.toArray(Check[]::new);
        return checks.length == 1
                ? checks[0]
                : value -> {
                    for (Check check : checks) {
                        if (check.holds(value)) {
                            return true;
                        }
                    }
                    return false;
                };
    }
}
