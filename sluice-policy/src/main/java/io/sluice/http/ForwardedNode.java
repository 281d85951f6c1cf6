package io.sluice.http;

import io.sluice.policy.Address;
import org.jspecify.annotations.Nullable;

/** Parses a node of a forwarded header (RFC 7239): an address, perhaps with a port. */
final class ForwardedNode {
    private ForwardedNode() {}

    /**
     * Parses {@code 192.0.2.1}, {@code 192.0.2.1:80}, {@code 2001:db8::1}, {@code [2001:db8::1]} or {@code
     * [2001:db8::1]:80}; null if the text has none of these forms. The port may be hidden ({@code :_a}), as RFC 7239
     * allows.
     */
    static @Nullable Address address(String text) {
        if (text.startsWith("[")) {
            int close = text.indexOf(']');
            if (close < 0 || !isPortOrNothing(text, close + 1)) {
                return null;
            }
            String inside = text.substring(1, close);
            return inside.indexOf(':') < 0 ? null : Address.parseOrNull(inside);
        }
        int colon = text.indexOf(':');
        boolean one = colon >= 0 && text.indexOf(':', colon + 1) < 0;
        if (one && isPortOrNothing(text, colon)) {
            return Address.parseOrNull(text.substring(0, colon));
        }
        return Address.parseOrNull(text);
    }

    private static boolean isPortOrNothing(String text, int from) {
        if (from == text.length()) {
            return true;
        }
        String port = text.substring(from + 1);
        if (text.charAt(from) != ':' || port.isEmpty()) {
            return false;
        }
        return port.charAt(0) == '_'
                ? port.length() > 1 && port.chars().allMatch(ForwardedNode::isHidden)
                : port.length() <= 5 && port.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static boolean isHidden(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "._-".indexOf(c) >= 0;
    }
}
