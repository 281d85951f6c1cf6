package io.sluice.server;

import io.sluice.server.decide.RequestBounds;
import io.sluice.server.http.HttpConnections;
import io.sluice.server.vertx.ByteBudget;
import io.sluice.server.vertx.HeaderTimeout;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The port for HTTP and gRPC. */
final class HttpListener {
    /** Maximum number of requests in flight on one HTTP/2 connection. */
    private static final int MAX_STREAMS = 256;

    /** Envoy resets streams that take too long. That is not an attack. */
    private static final int MAX_RESETS_PER_SECOND = 1000;

    private final Vertx vertx;
    private final HttpServerOptions options;
    private final HeaderTimeout headerTimeout;
    private final ByteBudget budget;
    private final Duration idleTimeout;
    private volatile int port;

    HttpListener(Vertx vertx, HeaderTimeout headerTimeout, ByteBudget budget, ServerConfig config, ServerTls tls) {
        this.vertx = vertx;
        this.headerTimeout = headerTimeout;
        this.budget = budget;
        idleTimeout = config.idleTimeout();
        options = new HttpServerOptions()
                .setHost(config.host())
                .setPort(Listeners.portToBind(config.port()))
                .setMaxHeaderSize(RequestBounds.HEADERS)
                .setMaxInitialLineLength(RequestBounds.HEADERS)
                // There are no WebSockets here, and their compression would limit the number of pipelined requests.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setInitialSettings(new Http2Settings()
                        .setMaxConcurrentStreams(MAX_STREAMS)
                        .setMaxHeaderListSize(RequestBounds.HEADERS))
                .setHttp2RstFloodMaxRstFramePerWindow(MAX_RESETS_PER_SECOND)
                .setHttp2RstFloodWindowDuration(1)
                .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) idleTimeout.toMillis());
        tls.apply(options);
    }

    Future<?> open(Listeners listeners, Handler<HttpServerRequest> handler) {
        return listeners.open(() -> {
            HttpServer server = vertx.createHttpServer(options);
            HttpConnections.install(vertx, server, headerTimeout, budget, idleTimeout, handler);
            return server.listen().onSuccess(listening -> {
                port = listening.actualPort();
                listeners.onStop(timeout -> server.shutdown(timeout.toMillis(), TimeUnit.MILLISECONDS));
            });
        });
    }

    Endpoint endpoint() {
        return new Endpoint(options.isSsl() ? "https" : "http", options.getHost(), port, "HTTP, gRPC");
    }
}
