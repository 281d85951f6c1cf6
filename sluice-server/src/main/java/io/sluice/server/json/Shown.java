package io.sluice.server.json;

import java.nio.charset.StandardCharsets;

/** How text from outside is shown in a message: on one line, in quotes where it is a value, and never endless. */
public final class Shown {
    private static final int MOST = 60;

    private Shown() {}

    /** A value in quotes; what is too long ends in dots. */
    public static String quoted(String text) {
        return '"' + shortened(text, MOST) + '"';
    }

    public static String quoted(byte[] utf8, int length) {
        return quoted(new String(utf8, 0, Math.min(length, 4 * MOST + 4), StandardCharsets.UTF_8));
    }

    /** The text, or so many characters of it and dots. */
    public static String shortened(String text, int most) {
        if (text.codePointCount(0, text.length()) <= most) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, most)) + "...";
    }

    /** The same text without line breaks and other control characters, which are written as escapes. */
    public static String onOneLine(String text) {
        StringBuilder line = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            switch (c) {
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
                        line.append(String.format("\\u%04x", c));
                    } else {
                        line.append((char) c);
                    }
                }
            }
        });
        return line.toString();
    }
}
