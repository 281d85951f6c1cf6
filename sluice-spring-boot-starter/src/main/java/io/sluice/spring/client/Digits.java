package io.sluice.spring.client;

import org.jspecify.annotations.Nullable;

/** Reads whole numbers of headers. */
final class Digits {
    private static final int MAX_LENGTH = 18;

    private Digits() {}

    /** The number; the largest {@code long} if it has too many digits; null if it is not a whole number of at least 0. */
    static @Nullable Long parse(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        String digits = text.strip();
        for (int i = 0; i < digits.length(); i++) {
            if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                return null;
            }
        }
        return digits.length() > MAX_LENGTH ? Long.MAX_VALUE : Long.parseLong(digits);
    }
}
