package io.sluice.server;

import io.sluice.server.decide.RequestBounds;
import io.sluice.server.http.ByteBudget;
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
    /** Calls in flight on one connection; a client with more opens another. */
    private static final int STREAMS = 256;

    /** Envoy gives up on what takes too long for it, which is no attack. */
    private static final int RESETS_PER_SECOND = 1000;

    private final Vertx vertx;
    private final HttpServerOptions options;
    private final FirstBytes first;
    private final ByteBudget budget;
    private final Duration idle;
    private volatile int port;

    HttpListener(Vertx vertx, FirstBytes first, ByteBudget budget, ServerConfig config, Tls tls) {
        this.vertx = vertx;
        this.first = first;
        this.budget = budget;
        idle = config.idleTimeout();
        options = new HttpServerOptions()
                .setHost(config.host())
                .setPort(Listeners.asked(config.port()))
                .setMaxHeaderSize(RequestBounds.HEADERS)
                .setMaxInitialLineLength(RequestBounds.HEADERS)
                // Nobody speaks WebSocket here, and who offers to extend it limits how many requests may be pipelined.
                .setPerFrameWebSocketCompressionSupported(false)
                .setPerMessageWebSocketCompressionSupported(false)
                .setInitialSettings(new Http2Settings()
                        .setMaxConcurrentStreams(STREAMS)
                        .setMaxHeaderListSize(RequestBounds.HEADERS))
                .setHttp2RstFloodMaxRstFramePerWindow(RESETS_PER_SECOND)
                .setHttp2RstFloodWindowDuration(1)
                .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                .setIdleTimeout((int) idle.toMillis());
        tls.apply(options);
    }

    Future<?> open(Listeners listeners, Handler<HttpServerRequest> handler) {
        return listeners.open(() -> {
            HttpServer server = vertx.createHttpServer(options);
            Connections.watch(vertx, server, first, budget, idle, handler);
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
