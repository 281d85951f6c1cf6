package io.sluice.spring.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginProvider;
import org.springframework.boot.origin.TextResourceOrigin;

/*
 * Spring Boot reads YAML 1.1, to which NO is a boolean, 007 is 7 and 12:30 is 750. In a policy file they are texts. So a country "NO"
 * in application.yaml would never match, without a word. Spring Boot remembers the line and column of each value: what stands there is
 * what the author meant.
 */
/** Finds a number or a boolean as it is written in a file. */
final class WrittenScalar {
    /** A plain scalar without spaces. Tags, anchors, aliases and quotes are none. */
    private static final Pattern PLAIN = Pattern.compile("[^\\s,\\[\\]{}#&*!|>'\"%@`][^\\s,\\[\\]{}]*");

    private WrittenScalar() {}

    /** The text at the place of a value; null if it has no place in a text file, or nothing plain stands there. */
    static @Nullable String at(@Nullable Origin origin) {
        Origin place = origin;
        while (!(place instanceof TextResourceOrigin) && place instanceof OriginProvider provider) {
            place = provider.getOrigin();
        }
        if (!(place instanceof TextResourceOrigin text) || text.getResource() == null || text.getLocation() == null) {
            return null;
        }
        List<String> lines;
        try {
            lines = text.getResource()
                    .getContentAsString(StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException e) {
            return null;
        }
        int line = text.getLocation().getLine();
        int column = text.getLocation().getColumn();
        if (line >= lines.size() || column >= lines.get(line).length()) {
            return null;
        }
        Matcher plain =
                PLAIN.matcher(lines.get(line)).region(column, lines.get(line).length());
        return plain.lookingAt() ? plain.group() : null;
    }
}
