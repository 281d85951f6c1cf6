package io.sluice.server.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** What cannot be answered, as problem+json (RFC 9457). */
public final class Problems {
    static final String CONTENT_TYPE = "application/problem+json";

    private Problems() {}

    /**
     * Refuses a request.
     *
     * @param detail what is wrong, where, and what was expected
     */
    public static void answer(HttpServerRequest request, int status, String detail) {
        answer(request, status, detail, new JsonObject());
    }

    /**
     * Refuses a request.
     *
     * @param detail what is wrong, where, and what was expected
     * @param more other members of the document
     */
    public static void answer(HttpServerRequest request, int status, String detail, JsonObject more) {
        String title = HttpResponseStatus.valueOf(status).reasonPhrase();
        request.response()
                .setStatusCode(status)
                .putHeader("Content-Type", CONTENT_TYPE)
                .end(new JsonObject()
                        .put("title", title)
                        .put("status", status)
                        .put("detail", detail)
                        .mergeIn(more)
                        .toBuffer());
    }
}
