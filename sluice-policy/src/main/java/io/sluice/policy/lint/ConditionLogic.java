package io.sluice.policy.lint;

import io.sluice.policy.Cidr;
import io.sluice.policy.Condition;
import io.sluice.policy.Match;
import io.sluice.policy.match.CompiledCondition;
import io.sluice.policy.match.CompiledGlob;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/*
 * Every answer is "proven" or "not known": true is a proof, false is not. So a warning that is based on it is never
 * wrong, and the reasoning can stay simple. The work is bounded: when the steps are used up, every answer is "not
 * known".
 */
/** Proves that one condition implies or excludes another. Not thread-safe. */
final class ConditionLogic {
    private static final long MAX_STEPS = 1_000_000;

    private final IdentityHashMap<Condition.AnyOf, Set<String>> texts = new IdentityHashMap<>();
    private final IdentityHashMap<Condition.AnyOf, Boolean> always = new IdentityHashMap<>();
    private final IdentityHashMap<Condition.AnyOf, Boolean> never = new IdentityHashMap<>();
    private final Map<String, CompiledCondition> globs = new HashMap<>();
    private long steps;

    /** Whether every request that matches {@code first} and {@code second} also matches {@code then}. */
    boolean implies(Match first, Match second, Match then) {
        for (Map.Entry<String, Condition> asked : then.conditions().entrySet()) {
            Condition a = first.conditions().get(asked.getKey());
            Condition b = second.conditions().get(asked.getKey());
            boolean given = (a != null && implies(a, asked.getValue())) || (b != null && implies(b, asked.getValue()));
            if (!given) {
                return false;
            }
        }
        return true;
    }

    /** Whether every value that satisfies {@code a} also satisfies {@code b}. */
    boolean implies(Condition a, Condition b) {
        if (!useSteps(1)) {
            return false;
        } else if (a == b || isAlwaysTrue(b) || isNeverTrue(a)) {
            return true;
        } else if (a instanceof Condition.Exact exact) {
            return holds(b, exact.text(), true);
        } else if (a instanceof Condition.AnyOf any) {
            return any.conditions().stream().allMatch(each -> implies(each, b));
        } else if (b instanceof Condition.AnyOf any) {
            return any.conditions().stream().anyMatch(each -> implies(a, each));
        } else if (b instanceof Condition.Not not) {
            return excludes(a, not.condition());
        } else if (a instanceof Condition.InCidr one && b instanceof Condition.InCidr other) {
            return isWithin(one.network(), other.network());
        } else if (a instanceof Condition.Glob one && b instanceof Condition.Glob other) {
            return useSteps((one.pattern().length() + other.pattern().length()) / 64)
                    && (one.equals(other) || isWithin(one.pattern(), other.pattern()));
        }
        return a instanceof Condition.Regex && a.equals(b);
    }

    /** Whether no value satisfies both conditions. */
    boolean excludes(Condition a, Condition b) {
        if (!useSteps(1)) {
            return false;
        } else if (isNeverTrue(a) || isNeverTrue(b)) {
            return true;
        } else if (a instanceof Condition.Exact exact) {
            return holds(b, exact.text(), false);
        } else if (b instanceof Condition.Exact exact) {
            return holds(a, exact.text(), false);
        } else if (a instanceof Condition.AnyOf any) {
            return any.conditions().stream().allMatch(each -> excludes(each, b));
        } else if (b instanceof Condition.AnyOf any) {
            return any.conditions().stream().allMatch(each -> excludes(a, each));
        } else if (a instanceof Condition.Not not) {
            return implies(b, not.condition());
        } else if (b instanceof Condition.Not not) {
            return implies(a, not.condition());
        } else if (a instanceof Condition.InCidr one && b instanceof Condition.InCidr other) {
            return !isWithin(one.network(), other.network()) && !isWithin(other.network(), one.network());
        }
        return a instanceof Condition.Glob one
                && b instanceof Condition.Glob other
                && useSteps((one.pattern().length() + other.pattern().length()) / 64)
                && differ(one.pattern(), other.pattern());
    }

    /** Whether every value satisfies the condition. */
    boolean isAlwaysTrue(Condition condition) {
        if (condition instanceof Condition.Glob glob) {
            return glob.pattern().length() > 1 && glob.pattern().chars().allMatch(c -> c == '*');
        } else if (condition instanceof Condition.AnyOf any) {
            Boolean known = always.get(any);
            if (known == null) {
                known = any.conditions().stream().anyMatch(this::isAlwaysTrue);
                always.put(any, known);
            }
            return known;
        }
        return condition instanceof Condition.Not not && isNeverTrue(not.condition());
    }

    /** Whether no value satisfies the condition. */
    boolean isNeverTrue(Condition condition) {
        if (condition instanceof Condition.AnyOf any) {
            Boolean known = never.get(any);
            if (known == null) {
                known = any.conditions().stream().allMatch(this::isNeverTrue);
                never.put(any, known);
            }
            return known;
        }
        return condition instanceof Condition.Not not && isAlwaysTrue(not.condition());
    }

    /** The only texts that satisfy the condition, if it is a list of exact texts; else null. */
    @Nullable
    Set<String> texts(Condition condition) {
        if (condition instanceof Condition.Exact exact) {
            return Set.of(exact.text());
        } else if (condition instanceof Condition.AnyOf any) {
            Set<String> found = texts.computeIfAbsent(any, ConditionLogic::exactTexts);
            return found.isEmpty() ? null : found;
        }
        return null;
    }

    private static Set<String> exactTexts(Condition.AnyOf any) {
        List<Condition> conditions = any.conditions();
        return conditions.stream().allMatch(each -> each instanceof Condition.Exact)
                ? conditions.stream()
                        .map(each -> ((Condition.Exact) each).text())
                        .collect(Collectors.toSet())
                : Set.of();
    }

    /** Whether it is proven that the text satisfies the condition; with {@code wanted} false, that it does not. */
    private boolean holds(Condition condition, String text, boolean wanted) {
        if (!useSteps(1)) {
            return false;
        } else if (condition instanceof Condition.Exact exact) {
            return exact.text().equals(text) == wanted;
        } else if (condition instanceof Condition.Not not) {
            return holds(not.condition(), text, !wanted);
        } else if (condition instanceof Condition.AnyOf any) {
            Set<String> simple = texts(any);
            if (simple != null) {
                return simple.contains(text) == wanted;
            }
            return wanted
                    ? any.conditions().stream().anyMatch(each -> holds(each, text, true))
                    : any.conditions().stream().allMatch(each -> holds(each, text, false));
        } else if (condition instanceof Condition.Glob glob) {
            return useSteps((long) glob.pattern().length() * text.length() / 64)
                    && globs.computeIfAbsent(glob.pattern(), CompiledGlob::of).holds(text) == wanted;
        } else if (condition instanceof Condition.Regex regex) {
            return useSteps((long) regex.pattern().programSize() * text.length() / 8)
                    && regex.pattern().matches(text) == wanted;
        }
        return condition instanceof Condition.InCidr in && in.network().contains(text) == wanted;
    }

    private static boolean isWithin(Cidr network, Cidr wider) {
        return wider.prefix() <= network.prefix() && wider.contains(network.network());
    }

    /** Whether {@code wider} is a text and then {@code **}, and the glob begins with that text. */
    private static boolean isWithin(String glob, String wider) {
        int star = wider.indexOf('*');
        return wider.length() >= star + 2
                && wider.substring(star).chars().allMatch(c -> c == '*')
                && glob.substring(0, glob.indexOf('*')).startsWith(wider.substring(0, star));
    }

    /** Whether no value can begin with both first texts, or end with both last texts. */
    private static boolean differ(String a, String b) {
        String start = a.substring(0, a.indexOf('*'));
        String otherStart = b.substring(0, b.indexOf('*'));
        String end = a.substring(a.lastIndexOf('*') + 1);
        String otherEnd = b.substring(b.lastIndexOf('*') + 1);
        return (!start.startsWith(otherStart) && !otherStart.startsWith(start))
                || (!end.endsWith(otherEnd) && !otherEnd.endsWith(end));
    }

    /** Uses up steps; false if there are not enough left. */
    boolean useSteps(long cost) {
        steps += cost;
        return steps <= MAX_STEPS;
    }
}
