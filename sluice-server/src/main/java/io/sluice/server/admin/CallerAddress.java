package io.sluice.server.admin;

import io.sluice.http.ClientAddress;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;

/** The address from which an admin request came: that of the peer, or what a trusted proxy says. */
public final class CallerAddress {
    private final ClientAddress proxies;

    /** @param proxies the trusted proxies, whose forwarded headers give the address of the client */
    public CallerAddress(ClientAddress proxies) {
        this.proxies = proxies;
    }

    String of(HttpServerRequest request) {
        SocketAddress peer = request.remoteAddress();
        return peer == null || peer.hostAddress() == null
                ? peer(request)
                : proxies.of(
                        peer.hostAddress(),
                        request.headers().getAll("X-Forwarded-For"),
                        request.headers().getAll("Forwarded"));
    }

    /** The other end of the connection, which may be a proxy. */
    static String peer(HttpServerRequest request) {
        SocketAddress peer = request.remoteAddress();
        return peer == null ? "unknown" : peer.hostAddress() == null ? peer.toString() : peer.hostAddress();
    }
}
