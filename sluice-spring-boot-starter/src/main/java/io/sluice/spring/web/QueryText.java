package io.sluice.spring.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads parameters of a query such as {@code a=1&b=2}. */
public final class QueryText {
    private QueryText() {}

    /** The first value of a parameter; null if the query does not have it. A parameter without a value is empty. */
    public static @Nullable String first(@Nullable String query, String name) {
        if (query == null) {
            return null;
        }
        int start = 0;
        while (start <= query.length()) {
            int end = query.indexOf('&', start);
            if (end < 0) {
                end = query.length();
            }
            int equals = query.indexOf('=', start);
            boolean hasValue = equals >= 0 && equals < end;
            if (name.equals(decoded(query.substring(start, hasValue ? equals : end)))) {
                return hasValue ? decoded(query.substring(equals + 1, end)) : "";
            }
            start = end + 1;
        }
        return null;
    }

    /** A text with a malformed escape stays as it is. */
    private static String decoded(String text) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
            return text;
        }
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
