package io.sluice.server.http;

import io.sluice.server.decide.RequestBounds;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** Reads the bodies of requests up to a maximum size. */
public final class RequestBodies {
    private RequestBodies() {}

    /** Passes the whole body to a handler. Answers with 413 if it is too large, and with 500 if the handler throws. */
    public static void read(HttpServerRequest request, Handler<Buffer> handler) {
        read(request, RequestBounds.BODY, handler);
    }

    /**
     * Passes the whole body to a handler, as {@link #read(HttpServerRequest, Handler)}.
     *
     * @param max the maximum number of bytes
     */
    public static void read(HttpServerRequest request, int max, Handler<Buffer> handler) {
        Body body = new Body(request, max, handler);
        if (contentLength(request, max) > max) {
            body.refuse();
        } else if (HttpHeaders.CONTINUE
                .toString()
                .equalsIgnoreCase(request.headers().get(HttpHeaders.EXPECT))) {
            request.response().writeContinue();
        }
        request.handler(body);
        request.endHandler(body::end);
    }

    /** Reads and drops the body. The request can be answered meanwhile. */
    static void ignore(HttpServerRequest request) {
        if (!request.isEnded()) {
            Body body = new Body(request, 0, all -> {});
            body.bytesToDrop = RequestBounds.BODY;
            body.refused = true;
            request.handler(body);
        }
    }

    /** The Content-Length; 0 if there is none, a very large number if it is invalid. */
    private static long contentLength(HttpServerRequest request, int max) {
        @Nullable String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
        if (length == null) {
            return 0;
        }
        long value = 0;
        for (int i = 0; i < length.length(); i++) {
            int digit = length.charAt(i) - '0';
            if (digit < 0 || digit > 9 || value > max) {
                return Long.MAX_VALUE;
            }
            value = 10 * value + digit;
        }
        return value;
    }

    /*
     * A refused client may still be sending. If the connection closed at once, unread bytes would make the client lose the
     * response. So the server reads on for a while.
     */
    /** The body that was read so far. */
    private static final class Body implements Handler<Buffer> {
        /** Maximum bytes to read from a refused client. */
        private static final int MAX_DROPPED = 1024 * 1024;

        private final HttpServerRequest request;
        private final int max;
        private final Handler<Buffer> handler;
        private @Nullable Buffer read;
        private boolean refused;
        private boolean closing;
        private int bytesToDrop = MAX_DROPPED;

        Body(HttpServerRequest request, int max, Handler<Buffer> handler) {
            this.request = request;
            this.max = max;
            this.handler = handler;
        }

        @Override
        public void handle(Buffer part) {
            if (refused) {
                bytesToDrop -= part.length();
                if (bytesToDrop < 0) {
                    request.connection().close();
                }
                return;
            }
            Buffer before = read;
            if (before == null) {
                read = part;
            } else {
                read = before.appendBuffer(part);
            }
            if (read.length() > max) {
                read = null;
                refuse();
            }
        }

        void end(@Nullable Void end) {
            if (refused) {
                if (closing) {
                    request.connection().close();
                }
                return;
            }
            Buffer all = read;
            try {
                handler.handle(all == null ? Buffer.buffer() : all);
            } catch (RuntimeException e) {
                Problems.failed(request, e);
            }
        }

        void refuse() {
            refused = true;
            closing = request.version() != HttpVersion.HTTP_2;
            if (closing) {
                request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            }
            Problems.answer(request, 413, "the body is too large (expected: at most " + max + " bytes)");
        }
    }
}
