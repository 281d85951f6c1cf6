package io.sluice.policy.match;

import io.sluice.policy.Condition;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A text by which a match can be indexed: the value of an attribute, or the beginning of that value.
 *
 * @param slot the slot of the attribute
 * @param prefix whether the value only has to begin with the text
 */
record IndexKey(int slot, String text, boolean prefix) {
    /** Longer prefixes are not worth the memory. */
    private static final int MAX_PREFIX = 64;

    /**
     * The keys of a term: every value that satisfies the term has at least one of them. Null if the term cannot be
     * indexed.
     */
    static @Nullable Set<IndexKey> of(CompiledMatch.Term term) {
        if (term.condition() instanceof Condition.Exact || term.condition() instanceof Condition.Glob) {
            IndexKey only = of(term, term.condition());
            return only == null ? null : Set.of(only);
        }
        Set<IndexKey> keys = new LinkedHashSet<>();
        return collect(term, term.condition(), keys) ? keys : null;
    }

    private static boolean collect(CompiledMatch.Term term, Condition condition, Set<IndexKey> keys) {
        if (condition instanceof Condition.AnyOf any) {
            return any.conditions().stream().allMatch(each -> collect(term, each, keys));
        }
        IndexKey key = of(term, condition);
        if (key != null) {
            keys.add(key);
        }
        return key != null;
    }

    private static @Nullable IndexKey of(CompiledMatch.Term term, Condition condition) {
        if (condition instanceof Condition.Exact exact) {
            return new IndexKey(term.slot(), CompiledCondition.exact(term.attribute(), exact), false);
        } else if (condition instanceof Condition.Glob glob) {
            String prefix = CompiledGlob.prefix(CompiledCondition.pattern(term.attribute(), glob));
            return prefix.isEmpty()
                    ? null
                    : new IndexKey(term.slot(), prefix.substring(0, Math.min(prefix.length(), MAX_PREFIX)), true);
        }
        return null;
    }
}
