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
        @Nullable String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
        if (length != null && (length.length() > 9 || Integer.parseInt(length) > RequestBounds.BODY)) {
            tooLarge(request);
            return;
        }
        new Body(request, then);
    }

    private static void tooLarge(HttpServerRequest request) {
        request.response().putHeader("Connection", "close");
        Problems.answer(request, 413, "a body of more than " + RequestBounds.BODY + " bytes");
        request.connection().close();
    }

    /** What has come so far. */
    private static final class Body implements Handler<Buffer> {
        private final HttpServerRequest request;
        private @Nullable Buffer read;
        private boolean refused;

        Body(HttpServerRequest request, Handler<Buffer> then) {
            this.request = request;
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
            if ((before == null ? 0 : before.length()) + part.length() > RequestBounds.BODY) {
                refused = true;
                tooLarge(request);
            } else {
                read = before == null ? part : before.appendBuffer(part);
            }
        }
    }
}
