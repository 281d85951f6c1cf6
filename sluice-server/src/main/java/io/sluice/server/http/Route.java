package io.sluice.server.http;

import io.vertx.core.http.HttpServerRequest;

/** Handles the requests of one path and method. */
@FunctionalInterface
public interface Route {
    /** Called on the event loop of the request, before its body is read. */
    void handle(HttpServerRequest request);
}
