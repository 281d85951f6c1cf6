package io.sluice.spring.servlet;

import io.sluice.policy.match.PathNormaliser;
import io.sluice.spring.web.PathParameters;

/*
 * Servers differ: Tomcat returns the context path as it stands in the URI, such as /app;x=1 or /%61pp, and drops slashes before it;
 * others return it as it is configured. A policy on /orders must see /orders for all these spellings. Otherwise a client could avoid
 * its limit.
 */
/** Removes the context path from the path of a request. */
final class ContextPath {
    private ContextPath() {}

    /**
     * The path within the application, without path parameters. It is encoded, so that it can be normalised.
     *
     * @param uri the path of the request, as the client has encoded it
     * @param context the context path of the request; empty for the root
     */
    static String remove(String uri, String context) {
        String path = PathParameters.remove(uri);
        if (context.isEmpty()) {
            return path.isEmpty() ? "/" : path;
        }
        String prefix = PathParameters.remove(context);
        if (begins(path, prefix) && !mayClimb(path)) {
            return within(path, prefix);
        }
        String normal = PathNormaliser.normalise(path);
        String normalPrefix = PathNormaliser.normalise(prefix);
        return begins(normal, normalPrefix) ? encoded(within(normal, normalPrefix)) : path;
    }

    private static boolean begins(String path, String prefix) {
        return path.startsWith(prefix) && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
    }

    /** Whether a part of the path may be {@code ..}, so that the path could leave the context and come back. */
    private static boolean mayClimb(String path) {
        return path.contains("/..") || path.contains("%2");
    }

    private static String within(String path, String prefix) {
        return path.length() == prefix.length() ? "/" : path.substring(prefix.length());
    }

    /** A path that is normalised is not encoded any more, and will be normalised once more. */
    private static String encoded(String path) {
        return path.replace("%", "%25").replace("?", "%3F").replace("#", "%23");
    }
}
