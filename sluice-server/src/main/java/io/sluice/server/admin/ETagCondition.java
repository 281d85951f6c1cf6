package io.sluice.server.admin;

import io.sluice.server.json.DisplayText;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@code If-Match} or {@code If-None-Match}, as in RFC 9110, sections 8.8.3 and 13.1: {@code *}, or a list of
 * entity-tags. Several headers are one list, and empty elements are ignored.
 *
 * @param any whether the value is {@code *}
 * @param tags the tags in quotes; weak tags begin with {@code W/}
 */
record ETagCondition(boolean any, List<String> tags) {
    private static final String WEAK = "W/";

    ETagCondition {
        tags = List.copyOf(tags);
    }

    /**
     * Reads a header of a request.
     *
     * @return null if the request has no such header
     * @throws IllegalArgumentException if the value is not a list of entity-tags
     */
    static @Nullable ETagCondition of(HttpServerRequest request, String header) {
        List<String> lines = request.headers().getAll(header);
        return lines.isEmpty() ? null : parse(header, lines);
    }

    static ETagCondition parse(String header, List<String> lines) {
        String value = String.join(", ", lines);
        if (trim(value).equals("*")) {
            return new ETagCondition(true, List.of());
        }
        List<String> tags = new ArrayList<>();
        int at = 0;
        while (true) {
            at = skipSpace(value, at);
            int end = endOfTag(value, at);
            if (end > at) {
                tags.add(value.substring(at, end));
                at = skipSpace(value, end);
            }
            if (at == value.length()) {
                return new ETagCondition(false, tags);
            } else if (value.charAt(at) != ',') {
                throw new IllegalArgumentException(header + ": " + DisplayText.shortened(value, 100)
                        + " (expected: entity-tags, such as the ETag of GET /v1/policies in its quotes, or *)");
            }
            at++;
        }
    }

    /** The end of the entity-tag that begins at an index; the index itself if there is none. */
    private static int endOfTag(String value, int from) {
        int at = value.startsWith(WEAK, from) ? from + WEAK.length() : from;
        if (at == value.length() || value.charAt(at) != '"') {
            return from;
        }
        do {
            at++;
        } while (at < value.length() && isInTag(value.charAt(at)));
        return at < value.length() && value.charAt(at) == '"' ? at + 1 : from;
    }

    /** {@code etagc} of RFC 9110: visible characters except quotes, and bytes beyond ASCII. */
    private static boolean isInTag(char c) {
        return c == '!' || (c >= '#' && c <= '~') || (c >= 0x80 && c <= 0xff);
    }

    private static int skipSpace(String value, int from) {
        int at = from;
        while (at < value.length() && (value.charAt(at) == ' ' || value.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    private static String trim(String value) {
        int end = value.length();
        while (end > 0 && (value.charAt(end - 1) == ' ' || value.charAt(end - 1) == '\t')) {
            end--;
        }
        return value.substring(Math.min(skipSpace(value, 0), end), end);
    }

    /** Strong comparison, for {@code If-Match}: a weak tag matches nothing. */
    boolean matches(String tag) {
        return any || tags.contains(tag);
    }

    /** Weak comparison, for {@code If-None-Match}. */
    boolean matchesWeakly(String tag) {
        return matches(tag) || tags.contains(WEAK + tag);
    }
}
