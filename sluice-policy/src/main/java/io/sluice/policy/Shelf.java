package io.sluice.policy;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where matches are filed by what they ask of one attribute. Immutable once built. */
final class Shelf {
    private static final int[] NOTHING = {};

    final int slot;
    private final Map<String, int[]> exact;
    private final @Nullable PrefixTree prefixes;

    private Shelf(int slot, Map<String, int[]> exact, @Nullable PrefixTree prefixes) {
        this.slot = slot;
        this.exact = exact;
        this.prefixes = prefixes;
    }

    /** Those whose text is the value, in ascending order. */
    int[] exactly(String value) {
        return exact.getOrDefault(value, NOTHING);
    }

    /** Where those begin whose text the value begins with. */
    @Nullable
    PrefixTree prefixes() {
        return prefixes;
    }

    /** Fills a shelf, in ascending order. */
    static final class Builder {
        private final Map<String, IntList> exact = new HashMap<>();
        private final Map<String, IntList> prefixes = new HashMap<>();

        void add(int item, Handle handle) {
            (handle.prefix() ? prefixes : exact)
                    .computeIfAbsent(handle.text(), text -> new IntList())
                    .add(item);
        }

        Shelf build(int slot) {
            Map<String, int[]> texts = new HashMap<>();
            exact.forEach((text, items) -> texts.put(text, items.toArray()));
            SortedMap<String, int[]> sorted = new TreeMap<>();
            prefixes.forEach((text, items) -> sorted.put(text, items.toArray()));
            return new Shelf(slot, texts, sorted.isEmpty() ? null : PrefixTree.of(sorted));
        }
    }
}
