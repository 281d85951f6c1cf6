package io.sluice.server.admin;

import io.sluice.server.json.Shown;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of {@code If-Match} or {@code If-None-Match}, as in RFC 9110, sections 8.8.3 and 13.1: {@code *}, or a list of
 * entity-tags. Several headers are one list, and empty elements of a list are passed over.
 *
 * @param any whether it is {@code *}
 * @param tags as they were given, the weak ones with their {@code W/}
 */
record EntityTags(boolean any, List<String> tags) {
    private static final String WEAK = "W/";

    EntityTags {
        tags = List.copyOf(tags);
    }

    /**
     * Reads a header of a request.
     *
     * @return null if there is none
     * @throws IllegalArgumentException if it is no list of entity-tags
     */
    static @Nullable EntityTags of(HttpServerRequest request, String header) {
        List<String> lines = request.headers().getAll(header);
        return lines.isEmpty() ? null : parse(header, lines);
    }

    static EntityTags parse(String header, List<String> lines) {
        String value = String.join(", ", lines);
        if (trim(value).equals("*")) {
            return new EntityTags(true, List.of());
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
                return new EntityTags(false, tags);
            } else if (value.charAt(at) != ',') {
                throw new IllegalArgumentException(header + ": " + Shown.shortened(value, 100)
                        + " (expected: entity-tags, such as the ETag of GET /v1/policies in its quotes, or *)");
            }
            at++;
        }
    }

    /** Where the entity-tag that begins there ends; there itself if none does. A quote inside cannot be escaped. */
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

    /** {@code etagc}: everything that is visible but quotes, and whatever bytes are beyond ASCII. */
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

    /** By the strong comparison, which {@code If-Match} asks for: a weak tag matches nothing. */
    boolean matches(String tag) {
        return any || tags.contains(tag);
    }

    /** By the weak comparison, which {@code If-None-Match} asks for. */
    boolean matchesWeakly(String tag) {
        return matches(tag) || tags.contains(WEAK + tag);
    }
}
