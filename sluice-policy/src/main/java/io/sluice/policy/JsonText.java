package io.sluice.policy;

import java.util.Map;

/**
 * Writes texts as JSON strings. Users of this class are the packages of this module, the service and the command line.
 */
public final class JsonText {
    private static final String HEX = "0123456789abcdef";

    private JsonText() {}

    /** The text in quotes, as {@link #appendQuoted} writes it. */
    public static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2);
        appendQuoted(out, text);
        return out.toString();
    }

    /** Appends the text in quotes. Escapes characters that JSON does not allow, and lone surrogates. */
    public static void appendQuoted(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < ' ' || isLoneSurrogate(text, i)) {
                        appendEscaped(out, c);
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    /** Appends a JSON array of strings. */
    public static void appendQuoted(StringBuilder out, Iterable<String> texts) {
        out.append('[');
        String separator = "";
        for (String text : texts) {
            out.append(separator);
            appendQuoted(out, text);
            separator = ",";
        }
        out.append(']');
    }

    /** Appends a JSON object of strings. */
    public static void appendQuoted(StringBuilder out, Map<String, String> texts) {
        out.append('{');
        String separator = "";
        for (Map.Entry<String, String> text : texts.entrySet()) {
            out.append(separator);
            appendQuoted(out, text.getKey());
            out.append(':');
            appendQuoted(out, text.getValue());
            separator = ",";
        }
        out.append('}');
    }

    private static boolean isLoneSurrogate(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }

    private static void appendEscaped(StringBuilder out, char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX.charAt((c >> shift) & 0xf));
        }
    }
}
