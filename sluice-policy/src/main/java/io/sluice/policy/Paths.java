package io.sluice.policy;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/*
 * What a server would serve for /api/../login, //login, /%6cogin or /login?x is what it would serve for /login, so a
 * limit on /login must see all of them as /login, or it is no limit. The order matters: escapes are decoded first, once,
 * because %2e%2e is a dot segment to a server; then empty segments go, then dot segments, as servers do it, so that
 * /a//../b is /b.
 */
/** Writes a request's path in the one way in which it is matched and counted. */
final class Paths {
    private Paths() {}

    /**
     * The path without query and fragment, with its percent-escapes decoded once as UTF-8 (what is no escape, or no UTF-8,
     * stays as it is), without dot segments and doubled slashes. Never goes above the root; a slash at the end stays. Returns
     * the same string if there is nothing to do. Never throws.
     */
    static String normalise(String path) {
        int end = path.length();
        boolean clean = true;
        boolean escaped = false;
        char before = '/';
        for (int i = 0; i < end; i++) {
            char c = path.charAt(i);
            if (c == '?' || c == '#') {
                end = i;
            } else {
                if (c == '%') {
                    escaped = true;
                } else if (before == '/' && (c == '.' || (c == '/' && i > 0))) {
                    // Perhaps a file such as .profile: then the long way returns what it was given.
                    clean = false;
                }
                before = c;
            }
        }
        String bare = end == path.length() ? path : path.substring(0, end);
        String decoded = escaped ? decode(bare) : bare;
        return clean && !escaped ? bare : withoutDots(decoded);
    }

    private static String withoutDots(String path) {
        StringBuilder out = new StringBuilder(path.length());
        int root = path.startsWith("/") ? 1 : 0;
        out.append(path, 0, root);
        int length = path.length();
        int start = root;
        while (start < length) {
            int slash = path.indexOf('/', start);
            int end = slash < 0 ? length : slash;
            int size = end - start;
            if (size == 2 && path.startsWith("..", start)) {
                // The segment before, with the slash at its end.
                int parent = out.length() - 2;
                while (parent >= root && out.charAt(parent) != '/') {
                    parent--;
                }
                out.setLength(Math.max(parent + 1, root));
            } else if (size > 0 && !(size == 1 && path.charAt(start) == '.')) {
                out.append(path, start, Math.min(end + 1, length));
            }
            start = end + 1;
        }
        return path.contentEquals(out) ? path : out.toString();
    }

    private static String decode(String path) {
        StringBuilder out = new StringBuilder(path.length());
        int i = 0;
        while (i < path.length()) {
            int escapes = 0;
            while (octet(path, i + 3 * escapes) >= 0) {
                escapes++;
            }
            if (escapes == 0) {
                out.append(path.charAt(i++));
            } else {
                decode(path, i, escapes, out);
                i += 3 * escapes;
            }
        }
        return out.toString();
    }

    /** Decodes some escapes that stand together. */
    private static void decode(String path, int from, int escapes, StringBuilder out) {
        byte[] bytes = new byte[escapes];
        for (int i = 0; i < escapes; i++) {
            bytes[i] = (byte) octet(path, from + 3 * i);
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer chars = CharBuffer.allocate(escapes);
        while (decoder.decode(in, chars, true).isError()) {
            // One byte that is no UTF-8; decoding goes on behind it.
            out.append(chars.flip());
            chars.clear();
            int at = from + 3 * in.position();
            out.append(path, at, at + 3);
            in.get();
            decoder.reset();
        }
        out.append(chars.flip());
    }

    /** The byte that an escape at that place stands for; negative if there is none. */
    private static int octet(String path, int at) {
        if (at + 2 >= path.length() || path.charAt(at) != '%') {
            return -1;
        }
        int high = hex(path.charAt(at + 1));
        int low = hex(path.charAt(at + 2));
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    private static int hex(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }
}
