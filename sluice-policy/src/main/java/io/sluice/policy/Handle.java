package io.sluice.policy;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * By what a match can be found: an attribute whose value is a text, or begins with it.
 *
 * @param slot the attribute
 * @param prefix whether the value only begins with the text
 */
record Handle(int slot, String text, boolean prefix) {
    /** More is not worth the memory. */
    private static final int LONGEST_PREFIX = 64;

    /** Handles of which every value that satisfies the term has at least one; null if there are none. */
    static @Nullable Set<Handle> of(Matcher.Term term) {
        Set<Handle> handles = new LinkedHashSet<>();
        return collect(term, term.condition(), handles) ? handles : null;
    }

    private static boolean collect(Matcher.Term term, Condition condition, Set<Handle> handles) {
        if (condition instanceof Condition.Exact exact) {
            handles.add(new Handle(term.slot(), Check.exact(term.attribute(), exact), false));
            return true;
        } else if (condition instanceof Condition.Glob glob) {
            String prefix = GlobCheck.prefix(Check.pattern(term.attribute(), glob));
            handles.add(new Handle(term.slot(), prefix.substring(0, Math.min(prefix.length(), LONGEST_PREFIX)), true));
            return !prefix.isEmpty();
        } else if (condition instanceof Condition.AnyOf any) {
            return any.conditions().stream().allMatch(each -> collect(term, each, handles));
        }
        return false;
    }
}
