package io.sluice.http;

import org.jspecify.annotations.Nullable;

/*
 * Almost all responses have one of a few values, because few combinations of policies apply to requests. ItemTexts returns the same
 * objects for the same policies, so to compare objects is enough. Threads may overwrite each other's lines: a line is immutable, and
 * one that is lost is written again.
 */
/** Remembers values of {@code RateLimit-Policy}, by their items. Thread-safe. */
final class PolicyLines {
    private static final int SIZE = 64;

    private final @Nullable Line[] lines = new @Nullable Line[SIZE];

    private static final class Line {
        private final @Nullable ItemText[] items;
        final String text;

        Line(@Nullable ItemText[] items, String text) {
            this.items = items;
            this.text = text;
        }

        @SuppressWarnings("ReferenceEquality")
        boolean isOf(@Nullable ItemText[] others) {
            if (items.length != others.length) {
                return false;
            }
            for (int i = 0; i < items.length; i++) {
                if (items[i] != others[i]) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The items of these policies in one line; a null has no item. Empty without items. The array must not change afterwards. */
    String of(@Nullable ItemText[] items) {
        int slot = slot(items);
        Line known = lines[slot];
        if (known != null && known.isOf(items)) {
            return known.text;
        }
        String text = join(items);
        lines[slot] = new Line(items, text);
        return text;
    }

    private static int slot(@Nullable ItemText[] items) {
        int hash = 1;
        for (ItemText item : items) {
            hash = 31 * hash + System.identityHashCode(item);
        }
        return (hash ^ (hash >>> 16)) & (SIZE - 1);
    }

    private static String join(@Nullable ItemText[] items) {
        StringBuilder out = new StringBuilder();
        for (ItemText item : items) {
            if (item != null) {
                out.append(out.isEmpty() ? "" : ", ").append(item.policy());
            }
        }
        return out.toString();
    }
}
