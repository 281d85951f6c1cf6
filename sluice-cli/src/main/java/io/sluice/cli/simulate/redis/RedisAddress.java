package io.sluice.cli.simulate.redis;

import io.sluice.cli.console.InvalidInputException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a Redis is.
 *
 * @param uri as it was given, perhaps with a password
 * @param shown as it may be shown: without user, password and options
 */
public record RedisAddress(String uri, String shown) {
    private static final Pattern SCHEME = Pattern.compile("rediss?(-sentinel)?://");

    private static final String HOST = "([^:,@/?#\\[\\]]+|\\[[0-9A-Fa-f:.%]+])(:[0-9]+)?";
    private static final String PASSWORD = "([^@/?#]*@)?";
    private static final String REST = "(?<database>/[^?#@]*)?([?][^#@]*)?(?<master>#[^@]*)?";
    private static final Pattern ONE =
            Pattern.compile("(?<scheme>rediss?://)" + PASSWORD + "(?<hosts>" + HOST + ")" + REST);
    private static final Pattern SENTINELS = Pattern.compile(
            "(?<scheme>rediss?-sentinel://)" + PASSWORD + "(?<hosts>" + HOST + "(," + HOST + ")*)" + REST);

    public static boolean isOne(String text) {
        return SCHEME.matcher(text).lookingAt();
    }

    /** @throws InvalidInputException if a password cannot be told from the rest, or there is no host */
    public static RedisAddress of(String uri) {
        String scheme = uri.substring(0, uri.indexOf("://") + 3);
        Matcher parts = (scheme.contains("sentinel") ? SENTINELS : ONE).matcher(uri);
        if (!parts.matches()) {
            throw new InvalidInputException("--store " + scheme + "...: not the address of a Redis"
                    + " (expected: [[user]:password@]host[:port][/database], with %2F %3F %23 %40 for / ? # @ in a"
                    + " user or password)");
        }
        return new RedisAddress(
                uri, part(parts, "scheme") + part(parts, "hosts") + part(parts, "database") + part(parts, "master"));
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
