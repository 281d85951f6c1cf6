package io.sluice.policy.yaml;

import java.util.Comparator;

/**
 * A position in a text.
 *
 * @param line the line, from 1
 * @param column the column, from 1, in code points
 */
public record SourcePosition(int line, int column) implements Comparable<SourcePosition> {
    public static final SourcePosition START = new SourcePosition(1, 1);

    private static final Comparator<SourcePosition> ORDER =
            Comparator.comparingInt(SourcePosition::line).thenComparingInt(SourcePosition::column);

    /** The position at the end of a text, with the line ends of YAML. */
    static SourcePosition after(CharSequence text) {
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
        return new SourcePosition(line, Character.codePointCount(text, lineStart, text.length()) + 1);
    }

    /** The position some code points further on the same line. */
    SourcePosition plus(int columns) {
        return new SourcePosition(line, column + columns);
    }

    @Override
    public int compareTo(SourcePosition other) {
        return ORDER.compare(this, other);
    }
}
