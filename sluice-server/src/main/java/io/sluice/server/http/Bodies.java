package io.sluice.server.http;

import io.sluice.server.decide.RequestBounds;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** Reads what a request brings, as far as it may. */
public final class Bodies {
    private Bodies() {}

    /** Hands over the whole body; answers by itself if there is too much of it, or {@code then} throws. */
    public static void read(HttpServerRequest request, Handler<Buffer> then) {
        read(request, RequestBounds.BODY, then);
    }

    /**
     * Hands over the whole body.
     *
     * @param most how many bytes it may have
     */
    public static void read(HttpServerRequest request, int most, Handler<Buffer> then) {
        Body body = new Body(request, most, then);
        if (announced(request, most) > most) {
            body.refuse();
        } else if (HttpHeaders.CONTINUE
                .toString()
                .equalsIgnoreCase(request.headers().get(HttpHeaders.EXPECT))) {
            request.response().writeContinue();
        }
        request.handler(body);
        request.endHandler(body::end);
    }

    /** Reads what nobody wants, as far as it may; the request can be answered meanwhile. */
    static void ignore(HttpServerRequest request) {
        if (!request.isEnded()) {
            Body body = new Body(request, 0, all -> {});
            body.left = RequestBounds.BODY;
            body.refused = true;
            request.handler(body);
        }
    }

    /** How many bytes are to come, if that is said; what is no number is more than any. */
    private static long announced(HttpServerRequest request, int most) {
        @Nullable String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
        if (length == null) {
            return 0;
        }
        long value = 0;
        for (int i = 0; i < length.length(); i++) {
            int digit = length.charAt(i) - '0';
            if (digit < 0 || digit > 9 || value > most) {
                return Long.MAX_VALUE;
            }
            value = 10 * value + digit;
        }
        return value;
    }

    /*
     * Who is refused may still be sending. If the connection ended at once, the answer would be lost with what was sent and
     * not read; so that is read for a while.
     */
    /** What has come so far. */
    private static final class Body implements Handler<Buffer> {
        /** What is read from who was refused. */
        private static final int PATIENCE = 1024 * 1024;

        private final HttpServerRequest request;
        private final int most;
        private final Handler<Buffer> then;
        private @Nullable Buffer read;
        private boolean refused;
        private boolean closing;
        private int left = PATIENCE;

        Body(HttpServerRequest request, int most, Handler<Buffer> then) {
            this.request = request;
            this.most = most;
            this.then = then;
        }

        @Override
        public void handle(Buffer part) {
            if (refused) {
                left -= part.length();
                if (left < 0) {
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
            if (read.length() > most) {
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
                then.handle(all == null ? Buffer.buffer() : all);
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
            Problems.answer(request, 413, "a body that is too large (expected: at most " + most + " bytes)");
        }
    }
}
