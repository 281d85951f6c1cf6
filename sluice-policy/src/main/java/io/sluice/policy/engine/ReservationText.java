package io.sluice.policy.engine;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text by which a caller names a reservation: a version, the id of the shared store, the id of the memory store of the process
 * that made it.
 *
 * @param shared null if no policy of scope shared applies
 * @param own null if no policy of scope process applies
 */
record ReservationText(@Nullable String shared, @Nullable String own) {
    private static final int LONGEST = 64 * 1024;
    private static final Pattern PATTERN = Pattern.compile("1\\.([A-Za-z0-9_-]*)\\.([A-Za-z0-9_-]*)");

    /** @throws IllegalArgumentException if the text does not name a reservation */
    static ReservationText parse(String text) {
        Matcher matcher = PATTERN.matcher(text.length() > LONGEST ? "" : text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "reservation: not a reservation (expected: the text that a reserve answered)");
        }
        return new ReservationText(nonEmpty(matcher.group(1)), nonEmpty(matcher.group(2)));
    }

    private static @Nullable String nonEmpty(String text) {
        return text.isEmpty() ? null : text;
    }

    @Override
    public String toString() {
        return "1." + (shared == null ? "" : shared) + "." + (own == null ? "" : own);
    }
}
