package io.sluice.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds, among many texts, those that a value begins with, in the time it takes to read the value. Follow {@link #next} from
 * the root: each node holds what is filed under the text up to there. Immutable.
 */
final class PrefixTree {
    private static final int[] NOTHING = {};

    /** From the parent's text to this one's. */
    private final String step;

    private final int depth;
    private final int[] items;
    private final PrefixTree[] children;

    private PrefixTree(String step, int depth, int[] items, PrefixTree[] children) {
        this.step = step;
        this.depth = depth;
        this.items = items;
        this.children = children;
    }

    static PrefixTree of(SortedMap<String, int[]> filed) {
        return of(new TreeMap<>(filed), 0, 0);
    }

    /**
     * The node for what all those texts begin with.
     *
     * @param from the parent's depth
     * @param depth how many characters all have in common
     */
    private static PrefixTree of(NavigableMap<String, int[]> filed, int from, int depth) {
        String first = filed.firstKey();
        int[] items = NOTHING;
        if (first.length() == depth) {
            items = filed.pollFirstEntry().getValue();
        }
        List<PrefixTree> children = new ArrayList<>();
        while (!filed.isEmpty()) {
            // Those that go on with the same character stand together, the first and the last differ most.
            NavigableMap<String, int[]> group = new TreeMap<>();
            char next = filed.firstKey().charAt(depth);
            while (!filed.isEmpty() && filed.firstKey().charAt(depth) == next) {
                group.put(filed.firstKey(), filed.pollFirstEntry().getValue());
            }
            children.add(of(group, depth, common(group.firstKey(), group.lastKey())));
        }
        return new PrefixTree(first.substring(from, depth), depth, items, children.toArray(PrefixTree[]::new));
    }

    private static int common(String a, String b) {
        int i = 0;
        while (i < a.length() && i < b.length() && a.charAt(i) == b.charAt(i)) {
            i++;
        }
        return i;
    }

    /** What is filed under this node's text, in ascending order. */
    int[] items() {
        return items;
    }

    /** The next node on the way of a value that begins with this node's text; null at the end. */
    @Nullable
    PrefixTree next(String value) {
        if (depth >= value.length()) {
            return null;
        }
        char c = value.charAt(depth);
        int low = 0;
        int high = children.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            PrefixTree child = children[middle];
            int order = Character.compare(child.step.charAt(0), c);
            if (order == 0) {
                return value.startsWith(child.step, depth) ? child : null;
            } else if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }
}
