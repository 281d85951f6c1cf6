package io.sluice.policy;

import java.util.Comparator;

/**
 * Where something stands in a text.
 *
 * @param line from 1
 * @param column from 1, in code points
 */
record Place(int line, int column) implements Comparable<Place> {
    static final Place START = new Place(1, 1);

    private static final Comparator<Place> ORDER =
            Comparator.comparingInt(Place::line).thenComparingInt(Place::column);

    /** The place after so much text, whose lines end as YAML's do. */
    static Place after(CharSequence text) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean crlf = c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if (c == '\n' || (c == '\r' && !crlf)) {
                line++;
                lineStart = i + 1;
            }
        }
        return new Place(line, Character.codePointCount(text, lineStart, text.length()) + 1);
    }

    /** So many code points further on the same line. */
    Place plus(int columns) {
        return new Place(line, column + columns);
    }

    @Override
    public int compareTo(Place other) {
        return ORDER.compare(this, other);
    }
}
