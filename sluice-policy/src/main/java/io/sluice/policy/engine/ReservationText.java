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
    /** Ids of the memory store have 22 characters. A text with a wrong one is refused before the shared store settles its part. */
    private static final Pattern PATTERN = Pattern.compile("1\\.([A-Za-z0-9_-]*)\\.([A-Za-z0-9_-]{22})?");

    /** @throws IllegalArgumentException if the text does not name a reservation */
    static ReservationText parse(String text) {
        Matcher matcher = PATTERN.matcher(text.length() > LONGEST ? "" : text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "reservation: not a reservation (expected: the text that a reserve answered)");
        }
        String shared = matcher.group(1);
        return new ReservationText(shared.isEmpty() ? null : shared, matcher.group(2));
    }

    @Override
    public String toString() {
        return "1." + (shared == null ? "" : shared) + "." + (own == null ? "" : own);
    }
}
