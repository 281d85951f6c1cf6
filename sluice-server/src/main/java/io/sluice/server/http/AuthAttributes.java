package io.sluice.server.http;

import io.sluice.http.ClientAddress;
import io.sluice.server.decide.RequestBounds;
import io.sluice.server.json.Shown;
import io.sluice.server.json.Utf8;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Proxies pass on the headers that they do not write themselves. So a client behind one that writes X-Original-URI could send
 * X-Forwarded-Uri, or the other way round: if both are there and differ, nobody knows which is the proxy's, and the request is
 * refused. For the same reason method, path, ip and host cannot be said by X-Sluice-*.
 */
/** What a gateway says of the request that it asks about. */
final class AuthAttributes {
    private static final String PREFIX = "x-sluice-";

    /** What the headers say cannot be used; the message says what. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused(String message) {
            super(message, null, false, false);
        }
    }

    private final MultiMap headers;
    private final Map<String, String> attributes = new HashMap<>();

    private AuthAttributes(MultiMap headers) {
        this.headers = headers;
    }

    /**
     * Reads a request.
     *
     * @param proxies whose headers count
     * @param ignored hears of the headers of others
     */
    static Map<String, String> of(HttpServerRequest request, ClientAddress proxies, IgnoredHeaders ignored)
            throws Refused {
        AuthAttributes read = new AuthAttributes(request.headers());
        @Nullable String peer = request.remoteAddress().hostAddress();
        if (peer != null && proxies.trusts(peer)) {
            read.told(request, proxies, peer);
        } else {
            if (peer != null) {
                ignored.of(peer, read.headers);
            }
            read.seen(request, peer);
        }
        return read.attributes;
    }

    /** By somebody who is not trusted: the request is his own. */
    private void seen(HttpServerRequest request, @Nullable String peer) throws Refused {
        put("method", request.method().name());
        put("path", request.path());
        put("ip", peer);
        put("host", hostOf(request));
    }

    private void told(HttpServerRequest request, ClientAddress proxies, String peer) throws Refused {
        String method = either("X-Forwarded-Method", "X-Original-Method");
        put("method", method == null ? request.method().name() : method);
        String uri = either("X-Forwarded-Uri", "X-Original-URI");
        put("path", uri == null ? request.path() : withoutQuery(uri));
        put("ip", proxies.of(peer, all("X-Forwarded-For"), all("Forwarded")));
        String host = one("X-Forwarded-Host");
        put("host", host == null ? hostOf(request) : hostOf(host));
        for (Map.Entry<String, String> header : headers) {
            String name = header.getKey();
            if (name.regionMatches(true, 0, PREFIX, 0, PREFIX.length()) && name.length() > PREFIX.length()) {
                more(name.substring(PREFIX.length()).toLowerCase(Locale.ROOT), header.getValue());
            }
        }
    }

    private void more(String name, String value) throws Refused {
        switch (name) {
            case "method", "path", "ip", "host" -> {}
            default -> {
                if (attributes.containsKey(name)) {
                    throw new Refused("header X-Sluice-" + Shown.quoted(name) + " a second time (expected: once)");
                } else if (attributes.size() == RequestBounds.ATTRIBUTES) {
                    throw new Refused("more than " + RequestBounds.ATTRIBUTES + " attributes (expected: at most "
                            + RequestBounds.ATTRIBUTES + ")");
                }
                put(name, Utf8.ofLatin1(value));
            }
        }
    }

    private void put(String name, @Nullable String value) throws Refused {
        if (value == null) {
            return;
        } else if (Utf8.length(name) > RequestBounds.ATTRIBUTE || Utf8.length(value) > RequestBounds.ATTRIBUTE) {
            throw new Refused("attribute " + Shown.quoted(name)
                    + " is too long (expected: a name and a value of at most " + RequestBounds.ATTRIBUTE + " bytes)");
        }
        attributes.put(name, value);
    }

    private List<String> all(String name) {
        return headers.getAll(name);
    }

    private @Nullable String one(String name) throws Refused {
        List<String> values = all(name);
        if (values.size() > 1) {
            throw new Refused("header " + name + " a second time (expected: once)");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    private @Nullable String either(String name, String other) throws Refused {
        String value = one(name);
        String otherValue = one(other);
        if (value != null && otherValue != null && !value.equals(otherValue)) {
            throw new Refused("headers " + name + " and " + other + " differ (expected: the proxy's, and no other)");
        }
        return value == null ? otherValue : value;
    }

    /** The policies would drop it as well, but it may be longer than an attribute. */
    private static String withoutQuery(String uri) {
        int query = uri.indexOf('?');
        return query < 0 ? uri : uri.substring(0, query);
    }

    private static @Nullable String hostOf(HttpServerRequest request) {
        return request.authority() == null ? null : hostOf(request.authority().host());
    }

    /** In small letters, without the port; the last if there are several, which the nearest proxy wrote. */
    private static String hostOf(String text) {
        String host = text.substring(text.lastIndexOf(',') + 1).strip().toLowerCase(Locale.ROOT);
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') && colon == host.indexOf(':', Math.max(0, host.lastIndexOf(']')))
                ? host.substring(0, colon)
                : host;
    }
}
