package io.sluice.server.http;

import io.vertx.core.http.HttpServerRequest;

/** Answers one kind of request. */
@FunctionalInterface
public interface Route {
    /** Called on the request's event loop, before its body was read. */
    void handle(HttpServerRequest request);
}
