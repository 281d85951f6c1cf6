package io.sluice.server.http;

import io.sluice.http.QuotaExceeded;
import org.jspecify.annotations.Nullable;

/**
 * The query parameters of {@code /v1/auth}.
 *
 * @param deny the status of a denial
 * @param permits the permits that the request takes
 */
record AuthQuery(int deny, long permits) {
    private static final AuthQuery DEFAULTS = new AuthQuery(QuotaExceeded.STATUS, 1);
    private static final long MAX_PERMITS = (1L << 53) - 1;

    /** The query is not valid. The message says why. */
    static final class InvalidQueryException extends Exception {
        private static final long serialVersionUID = 1;

        InvalidQueryException(String message) {
            super(message, null, false, false);
        }
    }

    static AuthQuery of(@Nullable String query) throws InvalidQueryException {
        if (query == null || query.isEmpty()) {
            return DEFAULTS;
        }
        long deny = -1;
        long permits = -1;
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? "" : part.substring(equals + 1);
            switch (name) {
                case "deny" -> {
                    requireFirst(name, deny);
                    deny = number(name, value, 400, 599);
                }
                case "permits" -> {
                    requireFirst(name, permits);
                    permits = number(name, value, 0, MAX_PERMITS);
                }
                default -> throw new InvalidQueryException("unknown parameter " + name + " (expected: deny, permits)");
            }
        }
        return new AuthQuery(deny < 0 ? DEFAULTS.deny : (int) deny, permits < 0 ? DEFAULTS.permits : permits);
    }

    private static void requireFirst(String name, long previous) throws InvalidQueryException {
        if (previous >= 0) {
            throw new InvalidQueryException(name + " a second time (expected: once)");
        }
    }

    private static long number(String name, String value, long min, long max) throws InvalidQueryException {
        boolean digits =
                !value.isEmpty() && value.length() <= 16 && value.chars().allMatch(c -> c >= '0' && c <= '9');
        long number = digits ? Long.parseLong(value) : -1;
        if (number < min || number > max) {
            throw new InvalidQueryException(
                    name + " is " + value + " (expected: a whole number from " + min + " to " + max + ")");
        }
        return number;
    }
}
