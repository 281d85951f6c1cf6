package io.sluice.spring.client;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/**
 * A pattern of URLs, such as {@code https://api.partner.com/**}. In the host, {@code *} is one label, and {@code **} is one or
 * several. The path is a {@link PathPattern}; without a path, all paths match. A URL without a port has the default port of its
 * scheme. Immutable.
 */
final class UrlPattern {
    private static final Pattern SYNTAX =
            Pattern.compile("(https?)://([^/:?#@\\s\\[\\]]+|\\[[0-9a-fA-F:.]+])(?::(\\d{1,5}))?(/[^?#]*)?");

    private final String scheme;
    private final Pattern host;
    private final int port;
    private final PathPattern path;

    private UrlPattern(String scheme, Pattern host, int port, PathPattern path) {
        this.scheme = scheme;
        this.host = host;
        this.port = port;
        this.path = path;
    }

    /** @throws IllegalArgumentException if the text is not a pattern of URLs */
    static UrlPattern parse(String text) {
        Matcher parts = SYNTAX.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("\"" + text
                    + "\" (expected: http or https, a host and a path, such as https://api.partner.com/**)");
        }
        String scheme = parts.group(1);
        String port = parts.group(3);
        String path = parts.group(4);
        try {
            return new UrlPattern(
                    scheme,
                    hostPattern(parts.group(2).toLowerCase(Locale.ROOT)),
                    port == null ? defaultPort(scheme) : Integer.parseInt(port),
                    PathPatternParser.defaultInstance.parse(path == null ? "/**" : path));
        } catch (PatternParseException e) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" (expected: a path such as /v1/** or /users/*; " + e.getMessage() + ")", e);
        }
    }

    private static Pattern hostPattern(String glob) {
        StringBuilder out = new StringBuilder();
        int i = 0;
        while (i < glob.length()) {
            if (glob.startsWith("**", i)) {
                out.append(".+");
                i += 2;
            } else {
                char c = glob.charAt(i++);
                out.append(c == '*' ? "[^.]+" : Pattern.quote(String.valueOf(c)));
            }
        }
        return Pattern.compile(out.toString());
    }

    boolean matches(URI url) {
        String urlScheme = url.getScheme();
        if (urlScheme == null || !scheme.equalsIgnoreCase(urlScheme)) {
            return false;
        }
        return port == (url.getPort() < 0 ? defaultPort(scheme) : url.getPort())
                && host.matcher(host(url)).matches()
                && path.matches(PathContainer.parsePath(path(url)));
    }

    private static int defaultPort(String scheme) {
        return scheme.equals("https") ? 443 : 80;
    }

    /** The host of a URL in lower case; empty if it has none. */
    static String host(URI url) {
        String host = url.getHost();
        return host == null ? "" : host.toLowerCase(Locale.ROOT);
    }

    /** The path of a URL as it is encoded; {@code /} if it has none. */
    static String path(URI url) {
        String path = url.getRawPath();
        return path == null || path.isEmpty() ? "/" : path;
    }
}
