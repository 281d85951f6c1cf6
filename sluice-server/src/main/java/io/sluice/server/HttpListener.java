package io.sluice.server;

import io.sluice.server.decide.RequestBounds;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;

/** The port where HTTP and gRPC are spoken. */
final class HttpListener {
    private final Vertx vertx;
    private final HttpServerOptions options;
    private volatile int port;

    HttpListener(Vertx vertx, ServerConfig config, Tls tls) {
        this.vertx = vertx;
        options = new HttpServerOptions()
                .setHost(config.host())
                .setPort(Listeners.asked(config.port()))
                .setMaxHeaderSize(RequestBounds.HEADERS)
                .setMaxInitialLineLength(RequestBounds.HEADERS)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) config.idleTimeout().toMillis());
        tls.apply(options);
    }

    Future<?> open(Listeners listeners, Handler<HttpServerRequest> handler) {
        return listeners.open(() -> {
            HttpServer server = vertx.createHttpServer(options).requestHandler(handler);
            return server.listen().onSuccess(listening -> {
                port = listening.actualPort();
                listeners.onStop(within -> server.shutdown(within.toMillis(), TimeUnit.MILLISECONDS));
            });
        });
    }

    Endpoint endpoint() {
        return new Endpoint(options.isSsl() ? "https" : "http", options.getHost(), port, "HTTP, gRPC");
    }
}
