package io.sluice.server;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a Redis as it may be shown. */
final class RedisAddress {
    private static final Pattern PARTS = Pattern.compile("(?<scheme>rediss?(-sentinel)?://)([^@/?#]*@)?"
            + "(?<hosts>[^@/?#]+)(?<database>/[^@?#]*)?([?][^@#]*)?(?<master>#[^@]*)?");

    private RedisAddress() {}

    /** Without user, password and options; nothing but the scheme if a password cannot be told from the rest. */
    static String shown(String uri) {
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
