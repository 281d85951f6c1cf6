package io.sluice.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes secrets from the URI of a Redis server, for logs. */
final class RedisAddress {
    private static final Pattern PARTS = Pattern.compile("(?<scheme>rediss?(-sentinel)?://)([^@/?#]*@)?"
            + "(?<hosts>[^@/?#]+)(?<database>/[^@?#]*)?([?][^@#]*)?(?<master>#[^@]*)?");

    private RedisAddress() {}

    /** The URI without user, password and options; only the scheme if the password cannot be found for certain. */
    static String withoutSecrets(String uri) {
        Matcher parts = PARTS.matcher(uri);
        if (!parts.matches()) {
            int end = uri.indexOf("://");
            return (end < 0 ? "" : uri.substring(0, end + 3)) + "...";
        }
        return part(parts, "scheme") + part(parts, "hosts") + part(parts, "database") + part(parts, "master");
    }

    private static String part(Matcher parts, String name) {
        String part = parts.group(name);
        return part == null ? "" : part;
    }
}
