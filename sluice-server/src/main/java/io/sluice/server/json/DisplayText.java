package io.sluice.server.json;

import java.nio.charset.StandardCharsets;

/** Prepares text from outside for messages: quoted, shortened, on one line. */
public final class DisplayText {
    private static final int MAX_LENGTH = 60;

    private DisplayText() {}

    /** The text in quotes, shortened to 60 characters. */
    public static String quoted(String text) {
        return '"' + shortened(text, MAX_LENGTH) + '"';
    }

    public static String quoted(byte[] utf8, int length) {
        return quoted(new String(utf8, 0, Math.min(length, 4 * MAX_LENGTH + 4), StandardCharsets.UTF_8));
    }

    /** The text, or its first {@code max} characters and three dots. */
    public static String shortened(String text, int max) {
        if (text.codePointCount(0, text.length()) <= max) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, max)) + "...";
    }

    /** The text with escapes instead of line breaks and other control characters. */
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
