package io.sluice.server;

import io.sluice.server.decide.RequestBounds;
import io.sluice.server.http.Connections;
import io.sluice.server.http.FirstBytes;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The port where HTTP and gRPC are spoken. */
final class HttpListener {
    private final Vertx vertx;
    private final HttpServerOptions options;
    private final FirstBytes first;
    private final Duration idle;
    private volatile int port;

    HttpListener(Vertx vertx, FirstBytes first, ServerConfig config) {
        this.vertx = vertx;
        this.first = first;
        idle = config.idleTimeout();
        options = new HttpServerOptions()
                .setHost(config.host())
                .setPort(Listeners.asked(config.port()))
                .setMaxHeaderSize(RequestBounds.HEADERS)
                .setMaxInitialLineLength(RequestBounds.HEADERS)
                // Nobody speaks WebSocket here, and who offers to extend it limits how many requests may be pipelined.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) idle.toMillis())
                .setInitialSettings(new Http2Settings()
                        .setMaxConcurrentStreams(HttpServerOptions.DEFAULT_INITIAL_SETTINGS_MAX_CONCURRENT_STREAMS)
                        .setMaxHeaderListSize(RequestBounds.HEADERS));
    }

    Future<?> open(Listeners listeners, Handler<HttpServerRequest> handler) {
        return listeners.open(() -> {
            HttpServer server = vertx.createHttpServer(options);
            Connections.watch(vertx, server, first, idle, handler);
            return server.listen().onSuccess(listening -> port = listening.actualPort());
        });
    }

    int port() {
        return port;
    }
}
