package io.sluice.server.admin;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which edition a change is meant to replace.
 *
 * @param edition -1 for any
 */
record IfMatch(long edition) {
    private static final Pattern TAG = Pattern.compile("\"(\\d{1,18})\"");
    private static final long ANY = -1;

    /**
     * Reads the header.
     *
     * @return null if there is none
     * @throws IllegalArgumentException if it is none that {@code ETag} said
     */
    static @Nullable IfMatch parse(@Nullable String header) {
        if (header == null) {
            return null;
        }
        String tag = header.trim();
        if (tag.equals("*")) {
            return new IfMatch(ANY);
        }
        Matcher matcher = TAG.matcher(tag);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "If-Match: " + tag + " (expected: the ETag of GET /v1/policies, as in \"3\", or *)");
        }
        return new IfMatch(Long.parseLong(matcher.group(1)));
    }

    boolean isAny() {
        return edition == ANY;
    }

    boolean matches(long other) {
        return isAny() || edition == other;
    }

    static String tag(long edition) {
        return '"' + Long.toString(edition) + '"';
    }
}
