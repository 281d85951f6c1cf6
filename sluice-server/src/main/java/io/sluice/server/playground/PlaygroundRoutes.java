package io.sluice.server.playground;

import io.sluice.server.http.Routes;
import io.vertx.core.Vertx;

/** The routes of the playground. */
public final class PlaygroundRoutes {
    /** @param vertx has the worker threads that decide traces */
    public PlaygroundRoutes(Vertx vertx) {}

    public void addTo(Routes routes) {}
}
