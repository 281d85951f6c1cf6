package io.sluice.policy.match;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the prefixes of a value among many texts, in the time it takes to read the value. A search follows {@link
 * #next} from the root; each node has the items of the text up to there. Immutable.
 */
final class PrefixTree {
    private static final int[] NOTHING = {};

    /** The text between the parent and this node. */
    private final String edge;

    private final int depth;
    private final int[] items;
    private final PrefixTree[] children;

    private PrefixTree(String edge, int depth, int[] items, PrefixTree[] children) {
        this.edge = edge;
        this.depth = depth;
        this.items = items;
        this.children = children;
    }

    static PrefixTree of(SortedMap<String, int[]> texts) {
        return of(new TreeMap<>(texts), 0, 0);
    }

    /**
     * The node for the common prefix of these texts.
     *
     * @param from the depth of the parent
     * @param depth the length of the common prefix
     */
    private static PrefixTree of(NavigableMap<String, int[]> texts, int from, int depth) {
        String first = texts.firstKey();
        int[] items = NOTHING;
        if (first.length() == depth) {
            items = texts.pollFirstEntry().getValue();
        }
        List<PrefixTree> children = new ArrayList<>();
        while (!texts.isEmpty()) {
            // Texts with the same next character are adjacent; the first and the last of them have the shortest common
            // prefix.
            NavigableMap<String, int[]> group = new TreeMap<>();
            char next = texts.firstKey().charAt(depth);
            while (!texts.isEmpty() && texts.firstKey().charAt(depth) == next) {
                group.put(texts.firstKey(), texts.pollFirstEntry().getValue());
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

    /** The items of this node's text, in ascending order. */
    int[] items() {
        return items;
    }

    /** The next node for a value that begins with this node's text; null if there is none. */
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
            int order = Character.compare(child.edge.charAt(0), c);
            if (order == 0) {
                return value.startsWith(child.edge, depth) ? child : null;
            } else if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }
}
