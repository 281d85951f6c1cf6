package io.sluice.policy.match;

import io.sluice.policy.Match;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * A match that asks for one tenant has to be tested only for requests of that tenant. So each match is indexed by one
 * of its conditions: by the texts that the attribute must have (or begin with). It is the condition whose texts the
 * fewest other matches ask for. A request looks up its own values, and tests only the matches that it finds there and
 * the few matches that could not be indexed. So ten thousand policies for ten thousand tenants cost hardly more than
 * ten.
 */

/** Finds the matches of a list that a request satisfies. Immutable. */
public final class MatchIndex {
    /** The index of no matches. */
    public static final MatchIndex EMPTY = new MatchIndex(List.of(), new AttributeSlots(List.of()));

    private final CompiledMatch[] matches;

    /** The positions of the matches that are tested for every request. */
    private final int[] notIndexed;

    private final AttributeIndex[] indexes;

    public MatchIndex(List<Match> sources, AttributeSlots attributes) {
        matches = sources.stream()
                .map(source -> new CompiledMatch(source, attributes))
                .toArray(CompiledMatch[]::new);
        List<List<Set<IndexKey>>> keys =
                Arrays.stream(matches).map(MatchIndex::keysOf).toList();
        Map<IndexKey, Integer> frequencies = frequencies(keys);
        IntList rest = new IntList();
        Map<Integer, AttributeIndex.Builder> builders = new TreeMap<>();
        for (int i = 0; i < matches.length; i++) {
            Set<IndexKey> best = mostSelective(keys.get(i), frequencies);
            if (best == null) {
                rest.add(i);
            } else {
                for (IndexKey key : best) {
                    builders.computeIfAbsent(key.slot(), slot -> new AttributeIndex.Builder())
                            .add(i, key);
                }
            }
        }
        notIndexed = rest.toArray();
        List<AttributeIndex> built = new ArrayList<>();
        builders.forEach((slot, builder) -> built.add(builder.build(slot)));
        indexes = built.toArray(AttributeIndex[]::new);
    }

    /** How many conditions have each index key. */
    private static Map<IndexKey, Integer> frequencies(List<List<Set<IndexKey>>> matches) {
        Map<IndexKey, Integer> frequencies = new HashMap<>();
        for (List<Set<IndexKey>> terms : matches) {
            for (Set<IndexKey> keys : terms) {
                for (IndexKey key : keys) {
                    frequencies.merge(key, 1, Integer::sum);
                }
            }
        }
        return frequencies;
    }

    /** The keys of each term of a match that can be indexed. */
    private static List<Set<IndexKey>> keysOf(CompiledMatch match) {
        List<Set<IndexKey>> keys = new ArrayList<>(match.terms().size());
        for (CompiledMatch.Term term : match.terms()) {
            Set<IndexKey> each = IndexKey.of(term);
            if (each != null) {
                keys.add(each);
            }
        }
        return keys;
    }

    /** The keys of the term whose most frequent key is the least frequent; null if no term has keys. */
    private static @Nullable Set<IndexKey> mostSelective(
            List<Set<IndexKey>> terms, Map<IndexKey, Integer> frequencies) {
        Set<IndexKey> best = null;
        int least = Integer.MAX_VALUE;
        for (Set<IndexKey> keys : terms) {
            int most = 0;
            for (IndexKey key : keys) {
                // At equal frequency, a whole text is more selective than a prefix.
                most = Math.max(most, 2 * frequencies.getOrDefault(key, 0) + (key.prefix() ? 1 : 0));
            }
            if (most < least) {
                best = keys;
                least = most;
            }
        }
        return best;
    }

    /** The match at a position of the list, compiled. */
    public CompiledMatch match(int i) {
        return matches[i];
    }

    /** Replaces the content of {@code found} by the positions of all matches that hold, in order. */
    public void all(@Nullable String[] values, IntList found) {
        candidates(values, found);
        int kept = 0;
        for (int i = 0; i < found.size(); i++) {
            if (matches[found.get(i)].matches(values)) {
                found.set(kept++, found.get(i));
            }
        }
        found.truncate(kept);
    }

    /** Replaces the content of {@code found} by the positions of all matches that must be tested, in order. */
    void candidates(@Nullable String[] values, IntList found) {
        found.truncate(0);
        found.addAll(notIndexed);
        for (AttributeIndex index : indexes) {
            String value = values[index.slot];
            if (value != null) {
                found.addAll(index.exact(value));
                for (PrefixTree node = index.prefixes(); node != null; node = node.next(value)) {
                    found.addAll(node.items());
                }
            }
        }
        found.sortAndDropDuplicates();
    }

    /** The position of the first match that holds; -1 if none does. */
    public int first(@Nullable String[] values) {
        int first = firstMatching(notIndexed, values, matches.length);
        for (AttributeIndex index : indexes) {
            String value = values[index.slot];
            if (value != null) {
                first = firstMatching(index.exact(value), values, first);
                for (PrefixTree node = index.prefixes(); node != null; node = node.next(value)) {
                    first = firstMatching(node.items(), values, first);
                }
            }
        }
        return first == matches.length ? -1 : first;
    }

    private int firstMatching(int[] candidates, @Nullable String[] values, int before) {
        for (int candidate : candidates) {
            if (candidate >= before) {
                break;
            }
            if (matches[candidate].matches(values)) {
                return candidate;
            }
        }
        return before;
    }
}
