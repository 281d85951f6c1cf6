package io.sluice.server.http;

import io.sluice.server.decide.RequestBounds;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/** Reads what a request brings, as far as it may. */
public final class Bodies {
    private Bodies() {}

    /** Hands over the whole body; answers by itself if there is too much of it. */
    public static void read(HttpServerRequest request, Handler<Buffer> then) {
        read(request, RequestBounds.BODY, then);
    }

    /**
     * Hands over the whole body.
     *
     * @param most how many bytes it may have
     */
    public static void read(HttpServerRequest request, int most, Handler<Buffer> then) {
        @Nullable String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
        if (length != null && (length.length() > 9 || Integer.parseInt(length) > most)) {
            tooLarge(request, most);
            return;
        }
        new Body(request, most, then);
    }

    private static void tooLarge(HttpServerRequest request, int most) {
        request.response().putHeader("Connection", "close");
        Problems.answer(request, 413, "a body of more than " + most + " bytes");
        request.connection().close();
    }

    /** What has come so far. */
    private static final class Body implements Handler<Buffer> {
        private final HttpServerRequest request;
        private final int most;
        private @Nullable Buffer read;
        private boolean refused;

        Body(HttpServerRequest request, int most, Handler<Buffer> then) {
            this.request = request;
            this.most = most;
            request.handler(this);
            request.endHandler(end -> {
                if (!refused) {
                    then.handle(read == null ? Buffer.buffer() : read);
                }
            });
        }

        @Override
        public void handle(Buffer part) {
            if (refused) {
                return;
            }
            Buffer before = read;
            if ((before == null ? 0 : before.length()) + part.length() > most) {
                refused = true;
                tooLarge(request, most);
            } else {
                read = before == null ? part : before.appendBuffer(part);
            }
        }
    }
}
