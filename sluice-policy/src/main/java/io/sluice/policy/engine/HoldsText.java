package io.sluice.policy.engine;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text by which a caller names the permits that a request holds: a version, what the shared store holds, what the memory store
 * of the process holds that the request entered.
 *
 * @param shared null if no policy of scope shared holds
 * @param own null if no policy of scope process holds
 */
record HoldsText(@Nullable String shared, @Nullable String own) {
    private static final int LONGEST = 64 * 1024;
    private static final Pattern PATTERN = Pattern.compile("1\\.([A-Za-z0-9_-]*)\\.([A-Za-z0-9_-]*)");

    /** The text, or null if neither store holds anything. */
    static @Nullable HoldsText of(@Nullable String shared, @Nullable String own) {
        return shared == null && own == null ? null : new HoldsText(shared, own);
    }

    /** @throws IllegalArgumentException if the text does not name held permits */
    static HoldsText parse(String text) {
        Matcher matcher = PATTERN.matcher(text.length() > LONGEST ? "" : text);
        HoldsText holds = matcher.matches() ? of(nonEmpty(matcher.group(1)), nonEmpty(matcher.group(2))) : null;
        if (holds == null) {
            throw new IllegalArgumentException("holds: not held permits (expected: the text that a check answered)");
        }
        return holds;
    }

    private static @Nullable String nonEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    @Override
    public String toString() {
        return "1." + (shared == null ? "" : shared) + "." + (own == null ? "" : own);
    }
}
