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
 * denied. For the same reason method, path, ip and host cannot be said by X-Sluice-*.
 *
 * Whatever a client can cause here ends in a decision. A gateway takes any other answer for a failure, and one that lets
 * requests through when Sluice fails would let this one through. So a value may be as long as the headers: policies match it
 * as a whole, and a key that is long is counted under its digest.
 */
/** What a gateway says of the request that it asks about. */
final class AuthAttributes {
    private static final String PREFIX = "x-sluice-";

    /** The headers contradict each other, so that the request is denied; the message says how. */
    static final class Doubtful extends Exception {
        private static final long serialVersionUID = 1;

        Doubtful(String message) {
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
            throws Doubtful {
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
    private void seen(HttpServerRequest request, @Nullable String peer) {
        put("method", request.method().name());
        put("path", request.path());
        put("ip", peer);
        put("host", hostOf(request));
    }

    private void told(HttpServerRequest request, ClientAddress proxies, String peer) throws Doubtful {
        String method = either("X-Forwarded-Method", "X-Original-Method");
        put("method", method == null ? request.method().name() : method);
        String uri = either("X-Forwarded-Uri", "X-Original-URI");
        // Some gateways hand on bytes that the client did not escape, and a policy has to see through that as well.
        put("path", uri == null ? request.path() : Utf8.ofLatin1(withoutQuery(uri)));
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

    private void more(String name, String value) throws Doubtful {
        switch (name) {
            case "method", "path", "ip", "host" -> {}
            default -> {
                if (attributes.containsKey(name)) {
                    throw new Doubtful("header X-Sluice-" + Shown.quoted(name) + " a second time (expected: once)");
                } else if (attributes.size() == RequestBounds.ATTRIBUTES) {
                    throw new Doubtful("more than " + RequestBounds.ATTRIBUTES + " attributes (expected: at most "
                            + RequestBounds.ATTRIBUTES + ")");
                }
                put(name, Utf8.ofLatin1(value));
            }
        }
    }

    private void put(String name, @Nullable String value) {
        if (value != null) {
            attributes.put(name, value);
        }
    }

    private List<String> all(String name) {
        return headers.getAll(name);
    }

    private @Nullable String one(String name) throws Doubtful {
        List<String> values = all(name);
        if (values.size() > 1) {
            throw new Doubtful("header " + name + " a second time (expected: once)");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    private @Nullable String either(String name, String other) throws Doubtful {
        String value = one(name);
        String otherValue = one(other);
        if (value != null && otherValue != null && !value.equals(otherValue)) {
            throw new Doubtful("headers " + name + " and " + other + " differ (expected: the proxy's, and no other)");
        }
        return value == null ? otherValue : value;
    }

    /** The policies would drop it as well, but it may be long. */
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
