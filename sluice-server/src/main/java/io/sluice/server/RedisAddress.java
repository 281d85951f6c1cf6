package io.sluice.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a Redis, and the form of it that may appear in messages and logs. It is public for {@code sluice-cli}.
 *
 * @param uri the address as it was given, perhaps with a password
 * @param shown the address without user, password and options
 */
public record RedisAddress(String uri, String shown) {
    private static final Pattern SCHEME = Pattern.compile("rediss?(-sentinel)?://");

    private static final String PASSWORD = "([^@/?#]*@)?";
    private static final String REST = "(?<database>/[^@?#]*)?([?][^@#]*)?(?<master>#[^@]*)?";
    private static final Pattern PARTS =
            Pattern.compile("(?<scheme>rediss?(-sentinel)?://)" + PASSWORD + "(?<hosts>[^@/?#]+)" + REST);

    private static final String HOST = "([^:,@/?#\\[\\]]+|\\[[0-9A-Fa-f:.%]+])(:[0-9]+)?";
    private static final Pattern ONE_SERVER = Pattern.compile("rediss?://" + PASSWORD + HOST + REST);
    private static final Pattern SENTINELS =
            Pattern.compile("rediss?-sentinel://" + PASSWORD + HOST + "(," + HOST + ")*" + REST);

    /** Whether a text begins like the address of a Redis. */
    public static boolean isRedis(String text) {
        return SCHEME.matcher(text).lookingAt();
    }

    /**
     * Parses an address.
     *
     * @throws IllegalArgumentException if there is no host, or if a password cannot be told from the rest; the message shows
     *     no more than the scheme
     */
    public static RedisAddress parse(String uri) {
        if (!ONE_SERVER.matcher(uri).matches() && !SENTINELS.matcher(uri).matches()) {
            throw new IllegalArgumentException(scheme(uri) + "...: not the address of a Redis"
                    + " (expected: [[user]:password@]host[:port][/database], with %2F %3F %23 %40 for / ? # @ in a"
                    + " user or password)");
        }
        return new RedisAddress(uri, withoutSecrets(uri));
    }

    /** An address without user, password and options; only its scheme if a password cannot be told from the rest. */
    static String withoutSecrets(String uri) {
        Matcher parts = PARTS.matcher(uri);
        if (!parts.matches()) {
            return scheme(uri) + "...";
        }
        return part(parts, "scheme") + part(parts, "hosts") + part(parts, "database") + part(parts, "master");
    }

    private static String scheme(String uri) {
        int end = uri.indexOf("://");
        return end < 0 ? "" : uri.substring(0, end + 3);
    }

    private static String part(Matcher parts, String name) {
        String part = parts.group(name);
        return part == null ? "" : part;
    }

    @Override
    public String toString() {
        return shown;
    }
}
