package io.sluice.server.http;

import io.netty.channel.Channel;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/*
 * The idle timeout of a connection begins again with every byte, so a client that sends one now and then would keep it for
 * ever. Here the time counts in which a request becomes whole, and in which its answer is read. No request has a timer of its
 * own: all connections of an event loop are looked at now and then, and time is counted in such looks.
 */
/**
 * The connections of one event loop: how long their requests may take to come, and their answers to be read. Used on that
 * event loop only.
 */
public final class Connections implements Handler<HttpServerRequest> {
    /**
     * How long a request may take from its first byte to its last, and an answer to be read, unless connections may be idle for
     * less.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int LOOKS = 10;

    private final Map<HttpConnection, Watched> open = new HashMap<>();
    private final FirstBytes first;
    private final ByteBudget budget;
    private final Handler<HttpServerRequest> then;
    private final Consumer<Runnable> later;
    private final long patience;
    private final long idle;
    private long now;

    private Connections(
            FirstBytes first,
            ByteBudget budget,
            Handler<HttpServerRequest> then,
            Context context,
            long patience,
            long idle) {
        this.first = first;
        this.budget = budget;
        this.then = then;
        this.later = task -> context.runOnContext(unused -> task.run());
        this.patience = patience;
        this.idle = idle;
    }

    /**
     * Makes a server that listens on this event loop answer by a handler, within the time that requests have.
     *
     * @param first is told of connections that are accepted
     * @param budget what all connections may hold together
     * @param idle how long a connection may be without a request
     * @return the connections it will have
     */
    public static Connections watch(
            Vertx vertx,
            HttpServer server,
            FirstBytes first,
            ByteBudget budget,
            Duration idle,
            Handler<HttpServerRequest> handler) {
        Duration patience = patience(idle);
        long look = Math.max(1, Math.min(1000, patience.toMillis() / LOOKS));
        Connections connections = new Connections(
                first, budget, handler, vertx.getOrCreateContext(), patience.toMillis() / look, idle.toMillis() / look);
        server.connectionHandler(connections::opened)
                .requestHandler(connections)
                .invalidRequestHandler(Malformed::answer)
                .exceptionHandler(failure -> {
                    // What a client does to its own connection is not worth a line.
                });
        vertx.setPeriodic(look, unused -> connections.look());
        return connections;
    }

    /** How long a request may take to come. */
    static Duration patience(Duration idle) {
        return idle.compareTo(PATIENCE) < 0 ? idle : PATIENCE;
    }

    private void opened(HttpConnection connection) {
        first.opened(connection);
        Channel channel =
                ((HttpServerConnection) connection).channelHandlerContext().channel();
        open.put(connection, new Watched(connection, channel, budget, later, now));
        connection.closeHandler(unused -> open.remove(connection));
        connection.exceptionHandler(failure -> {});
    }

    @Override
    public void handle(HttpServerRequest request) {
        Watched connection = open.get(request.connection());
        if (connection == null) {
            then.handle(request);
            return;
        }
        HttpServerResponse response = request.response();
        if (request.version() == HttpVersion.HTTP_2) {
            response.headersEndHandler(unused -> connection.answers(response, now));
        }
        connection.began(request, now, then);
    }

    private void look() {
        now++;
        // Ending one removes it.
        for (Watched connection : List.copyOf(open.values())) {
            connection.endUnread(now, patience);
            if (connection.isLate(now, patience, idle)) {
                connection.endLate(now, patience);
            }
        }
    }

    /** How many requests are kept, of all connections. */
    int kept() {
        return open.values().stream().mapToInt(Watched::kept).sum();
    }
}
