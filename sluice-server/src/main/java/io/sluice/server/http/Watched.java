package io.sluice.server.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayDeque;
import java.util.Iterator;

/** A connection, and the requests of it that are under way. Times are counted in looks. */
final class Watched {
    private record Begun(HttpServerRequest request, long time) {
        boolean isWhole() {
            return request.isEnded();
        }

        boolean isOver() {
            return request.isEnded() && request.response().ended();
        }
    }

    private final HttpConnection connection;
    private final ArrayDeque<Begun> begun = new ArrayDeque<>(2);
    private long active;
    private boolean asked;
    private boolean http2;

    Watched(HttpConnection connection, long now) {
        this.connection = connection;
        this.active = now;
    }

    void began(HttpServerRequest request, long now) {
        active = now;
        if (!asked) {
            asked = true;
            http2 = request.version() == HttpVersion.HTTP_2;
        }
        while (!begun.isEmpty() && begun.getFirst().isOver()) {
            begun.removeFirst();
        }
        begun.addLast(new Begun(request, now));
    }

    /*
     * HTTP/2 may be kept open without a request by pings. In HTTP/1 a connection without a request is idle, whatever bytes of
     * a head it has sent.
     */
    /** Whether a request took more than so long to come, or the next one does not come. */
    boolean isLate(long now, long patience, long idle) {
        for (Iterator<Begun> each = begun.iterator(); each.hasNext(); ) {
            Begun one = each.next();
            if (one.isOver()) {
                each.remove();
            } else if (!one.isWhole() && now - one.time() > patience) {
                return true;
            }
        }
        if (!begun.isEmpty()) {
            active = now;
            return false;
        }
        return !http2 && now - active > idle;
    }

    void close() {
        connection.close();
    }
}
