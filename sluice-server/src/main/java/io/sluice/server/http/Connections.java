package io.sluice.server.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * The idle timeout of a connection begins again with every byte, so a client that sends one now and then would keep it for
 * ever. Here the time counts in which a request becomes whole. No request has a timer of its own: all connections of an event
 * loop are looked at now and then, and time is counted in such looks.
 */
/** The connections of one event loop, and how long their requests may take to come. Used on that event loop only. */
public final class Connections implements Handler<HttpServerRequest> {
    /** How long a request may take from its first byte to its last, unless connections may be idle for less. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int LOOKS = 10;

    private final Map<HttpConnection, Watched> open = new HashMap<>();
    private final FirstBytes first;
    private final Handler<HttpServerRequest> then;
    private final long patience;
    private final long idle;
    private long now;

    private Connections(FirstBytes first, Handler<HttpServerRequest> then, long patience, long idle) {
        this.first = first;
        this.then = then;
        this.patience = patience;
        this.idle = idle;
    }

    /**
     * Makes a server that listens on this event loop answer by a handler, within the time that requests have.
     *
     * @param first is told of connections that are accepted
     * @param idle how long a connection may be without a request
     * @return the connections it will have
     */
    public static Connections watch(
            Vertx vertx, HttpServer server, FirstBytes first, Duration idle, Handler<HttpServerRequest> handler) {
        Duration patience = patience(idle);
        long look = Math.max(1, Math.min(1000, patience.toMillis() / LOOKS));
        Connections connections = new Connections(first, handler, patience.toMillis() / look, idle.toMillis() / look);
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
        open.put(connection, new Watched(connection, now));
        connection.closeHandler(unused -> open.remove(connection));
        connection.exceptionHandler(failure -> {});
    }

    @Override
    public void handle(HttpServerRequest request) {
        Watched connection = open.get(request.connection());
        if (connection != null) {
            connection.began(request, now);
        }
        HttpServerResponse response = request.response();
        if (request.version() != HttpVersion.HTTP_2 && response.writeQueueFull()) {
            // It asks and asks and does not read what it is answered.
            request.pause();
            response.drainHandler(unused -> {
                response.drainHandler(null);
                then.handle(request);
                request.resume();
            });
            return;
        }
        then.handle(request);
    }

    private void look() {
        now++;
        @Nullable List<Watched> late = null;
        for (Watched connection : open.values()) {
            if (connection.isLate(now, patience, idle)) {
                if (late == null) {
                    late = new ArrayList<>();
                }
                late.add(connection);
            }
        }
        if (late != null) {
            late.forEach(connection -> connection.endLate(now, patience));
        }
    }

    /** How many requests are kept, of all connections. */
    int kept() {
        return open.values().stream().mapToInt(Watched::kept).sum();
    }
}
