package io.sluice.server;

/**
 * An address on which a server listens.
 *
 * @param scheme {@code http}, {@code https}, {@code redis} or {@code rediss}
 * @param protocols for people, as {@code HTTP, gRPC}
 */
public record Endpoint(String scheme, String host, int port, String protocols) {
    /** {@code http://127.0.0.1:8080}. */
    public String uri() {
        return scheme + "://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    /** {@code http://127.0.0.1:8080 (HTTP, gRPC)}. */
    @Override
    public String toString() {
        return uri() + " (" + protocols + ")";
    }
}
