package io.sluice.server.http;

import io.sluice.http.QuotaExceeded;
import org.jspecify.annotations.Nullable;

/**
 * What the query of {@code /v1/auth} asks for.
 *
 * @param deny the status of a denial
 * @param permits what the request costs
 */
record AuthQuery(int deny, long permits) {
    private static final AuthQuery NOTHING = new AuthQuery(QuotaExceeded.STATUS, 1);
    private static final long MOST = (1L << 53) - 1;

    /** Something in the query cannot be used; the message says what. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message, null, false, false);
        }
    }

    static AuthQuery of(@Nullable String query) throws Refused {
        if (query == null || query.isEmpty()) {
            return NOTHING;
        }
        long deny = -1;
        long permits = -1;
        for (String part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? "" : part.substring(equals + 1);
            switch (name) {
                case "deny" -> {
                    requireNew(name, deny);
                    deny = number(name, value, 400, 599);
                }
                case "permits" -> {
                    requireNew(name, permits);
                    permits = number(name, value, 0, MOST);
                }
                default -> throw new Refused("unknown parameter " + name + " (expected: deny, permits)");
            }
        }
        return new AuthQuery(deny < 0 ? NOTHING.deny : (int) deny, permits < 0 ? NOTHING.permits : permits);
    }

    private static void requireNew(String name, long before) throws Refused {
        if (before >= 0) {
            throw new Refused(name + " a second time (expected: once)");
        }
    }

    private static long number(String name, String value, long least, long most) throws Refused {
        boolean digits =
                !value.isEmpty() && value.length() <= 16 && value.chars().allMatch(c -> c >= '0' && c <= '9');
        long number = digits ? Long.parseLong(value) : -1;
        if (number < least || number > most) {
            throw new Refused(name + " is " + value + " (expected: a whole number from " + least + " to " + most + ")");
        }
        return number;
    }
}
