package io.sluice.policy.match;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Finds the matches that ask for certain texts of one attribute. Immutable. */
final class AttributeIndex {
    private static final int[] NOTHING = {};

    final int slot;
    private final Map<String, int[]> exact;
    private final @Nullable PrefixTree prefixes;

    private AttributeIndex(int slot, Map<String, int[]> exact, @Nullable PrefixTree prefixes) {
        this.slot = slot;
        this.exact = exact;
        this.prefixes = prefixes;
    }

    /** The positions of the matches that ask for exactly this value, in ascending order. */
    int[] exact(String value) {
        return exact.getOrDefault(value, NOTHING);
    }

    /** The root of the prefixes that matches ask for; null if there are none. */
    @Nullable
    PrefixTree prefixes() {
        return prefixes;
    }

    /** Builds an index. Positions must be added in ascending order. */
    static final class Builder {
        private final Map<String, IntList> exact = new HashMap<>();
        private final Map<String, IntList> prefixes = new HashMap<>();

        void add(int position, IndexKey key) {
            (key.prefix() ? prefixes : exact)
                    .computeIfAbsent(key.text(), text -> new IntList())
                    .add(position);
        }

        AttributeIndex build(int slot) {
            Map<String, int[]> texts = new HashMap<>();
            exact.forEach((text, positions) -> texts.put(text, positions.toArray()));
            SortedMap<String, int[]> sorted = new TreeMap<>();
            prefixes.forEach((text, positions) -> sorted.put(text, positions.toArray()));
            return new AttributeIndex(slot, texts, sorted.isEmpty() ? null : PrefixTree.of(sorted));
        }
    }
}
