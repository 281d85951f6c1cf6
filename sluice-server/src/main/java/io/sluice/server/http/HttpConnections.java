package io.sluice.server.http;

import io.netty.channel.Channel;
import io.sluice.server.vertx.ByteBudget;
import io.sluice.server.vertx.HeaderTimeout;
import io.sluice.server.vertx.VertxChannels;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/*
 * The idle timeout of a connection starts again with every byte, so a client that sends one byte now and then would keep its
 * connection for ever. The timeouts here cover a whole request and a whole response. No request has a timer of its own: a
 * periodic task looks at all connections of the event loop. Time is counted in ticks of that task.
 */
/**
 * The HTTP connections of one event loop. Enforces the maximum time in which a client must send a request and read a
 * response. Used on that event loop only.
 */
public final class HttpConnections implements Handler<HttpServerRequest> {
    /** Maximum time from the first byte of a request to its last, and to read a response. A shorter idle timeout wins. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);

    private static final int TICKS_PER_TIMEOUT = 10;

    private final Map<HttpConnection, TrackedConnection> open = new HashMap<>();
    private final HeaderTimeout headerTimeout;
    private final ByteBudget budget;
    private final Handler<HttpServerRequest> handler;
    private final Consumer<Runnable> executor;
    private final long timeout;
    private final long idleTimeout;
    private long now;

    private HttpConnections(
            HeaderTimeout headerTimeout,
            ByteBudget budget,
            Handler<HttpServerRequest> handler,
            Context context,
            long timeout,
            long idleTimeout) {
        this.headerTimeout = headerTimeout;
        this.budget = budget;
        this.handler = handler;
        this.executor = task -> context.runOnContext(unused -> task.run());
        this.timeout = timeout;
        this.idleTimeout = idleTimeout;
    }

    /**
     * Installs a request handler and the timeouts on a server that will listen on this event loop.
     *
     * @param headerTimeout is told of each new HTTP connection
     * @param budget the bytes that all connections together may buffer
     * @param idleTimeout the maximum time of a connection without a request
     */
    public static HttpConnections install(
            Vertx vertx,
            HttpServer server,
            HeaderTimeout headerTimeout,
            ByteBudget budget,
            Duration idleTimeout,
            Handler<HttpServerRequest> handler) {
        Duration timeout = requestTimeout(idleTimeout);
        long tick = Math.max(1, Math.min(1000, timeout.toMillis() / TICKS_PER_TIMEOUT));
        HttpConnections connections = new HttpConnections(
                headerTimeout,
                budget,
                handler,
                vertx.getOrCreateContext(),
                timeout.toMillis() / tick,
                idleTimeout.toMillis() / tick);
        server.connectionHandler(connections::onOpen)
                .requestHandler(connections)
                .invalidRequestHandler(MalformedRequests::answer)
                .exceptionHandler(failure -> {
                    // A failure that a client causes on its own connection is not logged.
                });
        vertx.setPeriodic(tick, unused -> connections.tick());
        return connections;
    }

    /** The maximum time in which a client must send a request. */
    public static Duration requestTimeout(Duration idleTimeout) {
        return idleTimeout.compareTo(REQUEST_TIMEOUT) < 0 ? idleTimeout : REQUEST_TIMEOUT;
    }

    private void onOpen(HttpConnection connection) {
        headerTimeout.onHttpConnection(connection);
        Channel channel = VertxChannels.of(connection);
        open.put(connection, new TrackedConnection(connection, channel, budget, executor, now));
        connection.closeHandler(unused -> open.remove(connection));
        connection.exceptionHandler(failure -> {});
    }

    @Override
    public void handle(HttpServerRequest request) {
        TrackedConnection connection = open.get(request.connection());
        if (connection == null) {
            handler.handle(request);
            return;
        }
        HttpServerResponse response = request.response();
        if (request.version() == HttpVersion.HTTP_2) {
            response.headersEndHandler(unused -> connection.onHttp2Response(response, now));
        }
        connection.onRequest(request, now, handler);
    }

    private void tick() {
        now++;
        // A copy, because closing a connection removes it.
        for (TrackedConnection connection : List.copyOf(open.values())) {
            connection.closeUnread(now, timeout);
            if (connection.isLate(now, timeout, idleTimeout)) {
                connection.closeLate(now, timeout);
            }
        }
    }

    /** The number of tracked requests of all connections. */
    int trackedRequests() {
        return open.values().stream()
                .mapToInt(TrackedConnection::trackedRequests)
                .sum();
    }
}
