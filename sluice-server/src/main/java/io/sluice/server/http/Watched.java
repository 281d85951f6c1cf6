package io.sluice.server.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;

/** A connection, and the requests of it that are under way. Times are counted in looks. */
final class Watched {
    private record Begun(HttpServerRequest request, long time) {
        boolean isWhole() {
            return request.isEnded();
        }

        /** A call that was cancelled is closed, but its response never ends. */
        boolean isOver() {
            return request.response().closed()
                    || (request.isEnded() && request.response().ended());
        }

        boolean isLate(long now, long patience) {
            return !isWhole() && now - time > patience;
        }
    }

    private static final int FEW = 16;

    /** The error code of HTTP/2 for a stream that is no longer wanted. */
    private static final long CANCEL = 8;

    private final HttpConnection connection;
    private final ArrayDeque<Begun> begun = new ArrayDeque<>(2);
    private long active;
    private boolean asked;
    private boolean http2;
    private int many = FEW;

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
        if (begun.size() >= many) {
            // Behind one that takes long.
            begun.removeIf(Begun::isOver);
            many = Math.max(FEW, 2 * begun.size());
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
            } else if (one.isLate(now, patience)) {
                return true;
            }
        }
        if (!begun.isEmpty()) {
            active = now;
            return false;
        }
        return !http2 && now - active > idle;
    }

    /** Ends what is late: in HTTP/2 the requests that are, and not those beside them. */
    void endLate(long now, long patience) {
        if (!http2) {
            connection.close();
            return;
        }
        for (Begun one : List.copyOf(begun)) {
            if (!one.isOver() && one.isLate(now, patience)) {
                one.request().response().reset(CANCEL);
            }
        }
    }

    /** How many requests are kept. */
    int kept() {
        return begun.size();
    }
}
