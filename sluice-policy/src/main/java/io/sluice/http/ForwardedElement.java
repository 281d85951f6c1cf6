package io.sluice.http;

import io.sluice.policy.Address;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/*
 * The header is split into elements from its right end, where the trusted proxies write. So a quote that a client left
 * open further to the left cannot hide what the proxies wrote. Within an element, everything is parsed from the left
 * and must be well-formed.
 */
/** Parses one element of a {@code Forwarded} header, such as {@code for=192.0.2.1;proto=https}. */
final class ForwardedElement {
    private ForwardedElement() {}

    /** The index of the last comma before {@code end} that is not in quotes; -1 if there is none. */
    static int commaBefore(String line, int end) {
        boolean quoted = false;
        for (int i = end - 1; i >= 0; i--) {
            char c = line.charAt(i);
            if (c == '"' && !isEscaped(line, i)) {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isEscaped(String line, int at) {
        int backslashes = 0;
        while (at - backslashes > 0 && line.charAt(at - backslashes - 1) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }

    /** The address of its only {@code for} parameter; null if there is none, or the element is malformed. */
    static @Nullable Address address(String element) {
        Address address = null;
        boolean seen = false;
        int i = 0;
        while (true) {
            int equals = element.indexOf('=', i);
            if (equals < 0) {
                return null;
            }
            String name = element.substring(i, equals).strip().toLowerCase(Locale.ROOT);
            int start = equals + 1;
            int end = valueEnd(element, start);
            if (name.isEmpty() || end < 0) {
                return null;
            }
            if (name.equals("for")) {
                if (seen) {
                    return null;
                }
                seen = true;
                address = ForwardedNode.address(unquoted(element, start, end));
            }
            int next = end;
            while (next < element.length() && isSpace(element.charAt(next))) {
                next++;
            }
            if (next == element.length()) {
                return address;
            }
            if (element.charAt(next) != ';') {
                return null;
            }
            i = next + 1;
        }
    }

    /** The index after the token or the quoted string that starts there; negative if it has no end. */
    private static int valueEnd(String element, int start) {
        int i = start;
        if (i < element.length() && element.charAt(i) == '"') {
            for (i++; i < element.length(); i++) {
                char c = element.charAt(i);
                if (c == '"') {
                    return i + 1;
                } else if (c == '\\') {
                    i++;
                }
            }
            return -1;
        }
        while (i < element.length() && element.charAt(i) != ';' && !isSpace(element.charAt(i))) {
            if (element.charAt(i) == '"') {
                return -1;
            }
            i++;
        }
        return i;
    }

    private static String unquoted(String element, int start, int end) {
        if (start == end || element.charAt(start) != '"') {
            return element.substring(start, end);
        }
        StringBuilder text = new StringBuilder();
        for (int i = start + 1; i < end - 1; i++) {
            if (element.charAt(i) == '\\') {
                i++;
            }
            text.append(element.charAt(i));
        }
        return text.toString();
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
