package io.sluice.server.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.policy.JsonText;
import io.sluice.server.logging.PeerLog;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;

/** Writes error responses as problem+json (RFC 9457). */
public final class Problems {
    static final CharSequence CONTENT_TYPE = HttpHeaders.createOptimized("application/problem+json");

    private static final JsonObject NO_MEMBERS = new JsonObject();

    private static final PeerLog LOG = PeerLog.to("io.sluice.server");

    private Problems() {}

    /**
     * Answers a request with an error.
     *
     * @param detail what is wrong, where, and what was expected
     */
    public static void answer(HttpServerRequest request, int status, String detail) {
        answer(request, status, detail, NO_MEMBERS);
    }

    /**
     * Answers a request with an error.
     *
     * @param detail what is wrong, where, and what was expected
     * @param members further members of the document
     */
    public static void answer(HttpServerRequest request, int status, String detail, JsonObject members) {
        StringBuilder json = new StringBuilder(96 + detail.length()).append("{\"title\":");
        JsonText.appendQuoted(json, HttpResponseStatus.valueOf(status).reasonPhrase());
        json.append(",\"status\":").append(status).append(",\"detail\":");
        JsonText.appendQuoted(json, detail);
        json.append(members.isEmpty() ? "}" : "," + members.encode().substring(1));
        request.response()
                .setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE)
                .end(Buffer.buffer(json.toString()));
    }

    /** Answers a request that failed because of this program or its store, and logs the failure. */
    public static void failed(HttpServerRequest request, Throwable failure) {
        LOG.error(request.method() + " " + request.path() + " failed", failure);
        HttpServerResponse response = request.response();
        if (response.ended() || response.closed()) {
            return;
        } else if (response.headWritten()) {
            request.connection().close();
        } else {
            answer(request, 500, "the request could not be handled; the log says why");
        }
    }
}
