package io.sluice.http;

import java.nio.charset.StandardCharsets;

/** Writes strings of structured fields in HTTP (RFC 9651). */
final class StructuredText {
    private static final String HEX = "0123456789abcdef";

    private StructuredText() {}

    /**
     * Appends a string. A string can contain only printable ASCII. In any other text, all other characters and {@code
     * %} are written as {@code %} and the hexadecimal digits of their UTF-8 bytes.
     */
    static void append(StringBuilder out, String text) {
        out.append('"');
        if (text.chars().allMatch(StructuredText::isPrintable)) {
            for (int i = 0; i < text.length(); i++) {
                appendPrintable(out, text.charAt(i));
            }
        } else {
            for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
                if (isPrintable(b) && b != '%') {
                    appendPrintable(out, (char) b);
                } else {
                    out.append('%').append(HEX.charAt(b >> 4 & 15)).append(HEX.charAt(b & 15));
                }
            }
        }
        out.append('"');
    }

    private static boolean isPrintable(int c) {
        return c >= ' ' && c <= '~';
    }

    private static void appendPrintable(StringBuilder out, char c) {
        if (c == '"' || c == '\\') {
            out.append('\\');
        }
        out.append(c);
    }
}
