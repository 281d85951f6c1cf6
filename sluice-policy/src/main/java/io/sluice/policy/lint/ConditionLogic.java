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
 * Every question is answered "certainly" or "not known": true is a proof, false is none. So a warning that rests on it is
 * never wrong, and the reasoning may stay simple. The work is bounded: when its steps are used up, nothing is known any more.
 */
/** What follows from conditions. Not thread-safe. */
final class ConditionLogic {
    private static final long MOST_STEPS = 1_000_000;

    private final IdentityHashMap<Condition.AnyOf, Set<String>> texts = new IdentityHashMap<>();
    private final IdentityHashMap<Condition.AnyOf, Boolean> always = new IdentityHashMap<>();
    private final IdentityHashMap<Condition.AnyOf, Boolean> never = new IdentityHashMap<>();
    private final Map<String, CompiledCondition> globs = new HashMap<>();
    private long steps;

    /** Whether what matches both {@code first} and {@code second} matches {@code then}. */
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

    /** Whether every value that satisfies {@code a} satisfies {@code b}. */
    boolean implies(Condition a, Condition b) {
        if (!spend(1)) {
            return false;
        } else if (a == b || isAlways(b) || isNever(a)) {
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
            return spend((one.pattern().length() + other.pattern().length()) / 64)
                    && (one.equals(other) || isWithin(one.pattern(), other.pattern()));
        }
        return a instanceof Condition.Regex && a.equals(b);
    }

    /** Whether no value satisfies both. */
    boolean excludes(Condition a, Condition b) {
        if (!spend(1)) {
            return false;
        } else if (isNever(a) || isNever(b)) {
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
                && spend((one.pattern().length() + other.pattern().length()) / 64)
                && differ(one.pattern(), other.pattern());
    }

    /** Whether every value satisfies it. */
    boolean isAlways(Condition condition) {
        if (condition instanceof Condition.Glob glob) {
            return glob.pattern().length() > 1 && glob.pattern().chars().allMatch(c -> c == '*');
        } else if (condition instanceof Condition.AnyOf any) {
            Boolean known = always.get(any);
            if (known == null) {
                known = any.conditions().stream().anyMatch(this::isAlways);
                always.put(any, known);
            }
            return known;
        }
        return condition instanceof Condition.Not not && isNever(not.condition());
    }

    /** Whether no value satisfies it. */
    boolean isNever(Condition condition) {
        if (condition instanceof Condition.AnyOf any) {
            Boolean known = never.get(any);
            if (known == null) {
                known = any.conditions().stream().allMatch(this::isNever);
                never.put(any, known);
            }
            return known;
        }
        return condition instanceof Condition.Not not && isAlways(not.condition());
    }

    /** The texts that alone satisfy it, if it is that simple; else null. */
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

    /** Whether it is certain that the text satisfies the condition, or with {@code wanted} false, that it does not. */
    private boolean holds(Condition condition, String text, boolean wanted) {
        if (!spend(1)) {
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
            return spend((long) glob.pattern().length() * text.length() / 64)
                    && globs.computeIfAbsent(glob.pattern(), CompiledGlob::of).holds(text) == wanted;
        } else if (condition instanceof Condition.Regex regex) {
            return spend((long) regex.pattern().programSize() * text.length() / 8)
                    && regex.pattern().matches(text) == wanted;
        }
        return condition instanceof Condition.InCidr in && in.network().contains(text) == wanted;
    }

    private static boolean isWithin(Cidr network, Cidr wider) {
        return wider.prefix() <= network.prefix() && wider.contains(network.network());
    }

    /** Whether the wider is a text and then anything, and the glob begins with that text. */
    private static boolean isWithin(String glob, String wider) {
        int star = wider.indexOf('*');
        return wider.length() >= star + 2
                && wider.substring(star).chars().allMatch(c -> c == '*')
                && glob.substring(0, glob.indexOf('*')).startsWith(wider.substring(0, star));
    }

    /** Whether the texts around the stars cannot both begin, or cannot both end, the same value. */
    private static boolean differ(String a, String b) {
        String start = a.substring(0, a.indexOf('*'));
        String otherStart = b.substring(0, b.indexOf('*'));
        String end = a.substring(a.lastIndexOf('*') + 1);
        String otherEnd = b.substring(b.lastIndexOf('*') + 1);
        return (!start.startsWith(otherStart) && !otherStart.startsWith(start))
                || (!end.endsWith(otherEnd) && !otherEnd.endsWith(end));
    }

    /** Takes that many steps; false, and nothing is known any more, if there are not as many left. */
    boolean spend(long cost) {
        steps += cost;
        return steps <= MOST_STEPS;
    }
}
