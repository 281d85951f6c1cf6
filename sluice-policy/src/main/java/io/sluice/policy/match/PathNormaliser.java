package io.sluice.policy.match;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/*
 * A server serves the same for /api/../login, //login, /%6cogin and /login?x as for /login. So a limit on /login must
 * see all of them as /login; otherwise a client could avoid the limit. The order matters. Escapes are decoded first,
 * once, because %2e%2e is a dot segment to a server. Then empty segments are removed, then dot segments, as servers do
 * it, so that /a//../b is /b.
 */
/** Normalises the path of a request, so that all spellings of one path are matched and counted alike. */
public final class PathNormaliser {
    private PathNormaliser() {}

    /**
     * Removes query and fragment, decodes percent-escapes once as UTF-8, and removes dot segments and duplicate
     * slashes. Invalid escapes and bytes that are not UTF-8 stay as they are. The path never goes above the root, and a
     * slash at the end stays. Returns the same string if nothing changes. Never throws.
     */
    public static String normalise(String path) {
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
                    // Perhaps a file such as .profile: then withoutDots returns the same path.
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
                // Drop the segment before, with the slash at its end.
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

    /** Decodes a run of adjacent escapes. */
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
            // One byte that is not UTF-8; decoding continues after it.
            out.append(chars.flip());
            chars.clear();
            int at = from + 3 * in.position();
            out.append(path, at, at + 3);
            in.get();
            decoder.reset();
        }
        out.append(chars.flip());
    }

    /** The byte of an escape at this position; negative if there is none. */
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
