package io.sluice.server.http;

import io.sluice.http.ClientAddress;
import io.sluice.server.decide.RequestBounds;
import io.sluice.server.json.DisplayText;
import io.sluice.server.json.Utf8;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * Proxies pass on the headers that they do not write themselves. If a proxy writes X-Original-URI, its client could send
 * X-Forwarded-Uri, or the other way round. If both are there and differ, nobody knows which one the proxy wrote, so the request
 * is denied. For the same reason X-Sluice-* cannot set method, path, ip and host.
 *
 * Everything that a client can send leads to a decision. A gateway treats any other response as a failure, and a gateway that
 * allows requests when Sluice fails would allow this one. So a value may be as long as the headers: policies match it as a
 * whole, and a long key is replaced by its digest.
 */
/** Reads the attributes of the request that a gateway asks about. */
final class AuthAttributes {
    private static final String PREFIX = "x-sluice-";

    /** The headers contradict each other, so the request is denied. The message says how. */
    static final class ConflictException extends Exception {
        private static final long serialVersionUID = 1;

        ConflictException(String message) {
            super(message, null, false, false);
        }
    }

    private final MultiMap headers;
    private final Map<String, String> attributes = new HashMap<>();

    private AuthAttributes(MultiMap headers) {
        this.headers = headers;
    }

    /**
     * Reads the attributes of a request.
     *
     * @param proxies the trusted proxies
     * @param ignored logs the headers of other peers
     */
    static Map<String, String> of(HttpServerRequest request, ClientAddress proxies, IgnoredHeadersLog ignored)
            throws ConflictException {
        AuthAttributes read = new AuthAttributes(request.headers());
        @Nullable String peer = request.remoteAddress().hostAddress();
        if (peer != null && proxies.trusts(peer)) {
            read.fromProxy(request, proxies, peer);
        } else {
            if (peer != null) {
                ignored.log(peer, read.headers);
            }
            read.fromClient(request, peer);
        }
        return read.attributes;
    }

    /** The peer is not trusted, so the request itself has the attributes. */
    private void fromClient(HttpServerRequest request, @Nullable String peer) {
        put("method", request.method().name());
        put("path", request.path());
        put("ip", peer);
        put("host", hostOf(request));
    }

    private void fromProxy(HttpServerRequest request, ClientAddress proxies, String peer) throws ConflictException {
        String method = either("X-Forwarded-Method", "X-Original-Method");
        put("method", method == null ? request.method().name() : method);
        String uri = either("X-Forwarded-Uri", "X-Original-URI");
        // Some gateways pass on bytes that the client did not escape. Policies must match them too.
        put("path", uri == null ? request.path() : Utf8.ofLatin1(withoutQuery(uri)));
        put("ip", proxies.of(peer, all("X-Forwarded-For"), all("Forwarded")));
        String host = single("X-Forwarded-Host");
        put("host", host == null ? hostOf(request) : hostOf(host));
        for (Map.Entry<String, String> header : headers) {
            String name = header.getKey();
            if (name.regionMatches(true, 0, PREFIX, 0, PREFIX.length()) && name.length() > PREFIX.length()) {
                addAttribute(name.substring(PREFIX.length()).toLowerCase(Locale.ROOT), header.getValue());
            }
        }
    }

    private void addAttribute(String name, String value) throws ConflictException {
        switch (name) {
            case "method", "path", "ip", "host" -> {}
            default -> {
                if (attributes.containsKey(name)) {
                    throw new ConflictException(
                            "header X-Sluice-" + DisplayText.quoted(name) + " a second time (expected: once)");
                } else if (attributes.size() == RequestBounds.ATTRIBUTES) {
                    throw new ConflictException("more than " + RequestBounds.ATTRIBUTES
                            + " attributes (expected: at most " + RequestBounds.ATTRIBUTES + ")");
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

    private @Nullable String single(String name) throws ConflictException {
        List<String> values = all(name);
        if (values.size() > 1) {
            throw new ConflictException("header " + name + " a second time (expected: once)");
        }
        return values.isEmpty() ? null : values.get(0);
    }

    private @Nullable String either(String name, String other) throws ConflictException {
        String value = single(name);
        String otherValue = single(other);
        if (value != null && otherValue != null && !value.equals(otherValue)) {
            throw new ConflictException(
                    "headers " + name + " and " + other + " differ (expected: the proxy's, and no other)");
        }
        return value == null ? otherValue : value;
    }

    /** The policies would remove the query too, but it may be long. */
    private static String withoutQuery(String uri) {
        int query = uri.indexOf('?');
        return query < 0 ? uri : uri.substring(0, query);
    }

    private static @Nullable String hostOf(HttpServerRequest request) {
        return request.authority() == null ? null : hostOf(request.authority().host());
    }

    /** The host in lower case, without the port. Of several, the last, which the nearest proxy wrote. */
    private static String hostOf(String text) {
        String host = text.substring(text.lastIndexOf(',') + 1).strip().toLowerCase(Locale.ROOT);
        int colon = host.lastIndexOf(':');
        return colon > host.lastIndexOf(']') && colon == host.indexOf(':', Math.max(0, host.lastIndexOf(']')))
                ? host.substring(0, colon)
                : host;
    }
}
