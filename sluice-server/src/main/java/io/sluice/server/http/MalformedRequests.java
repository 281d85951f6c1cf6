package io.sluice.server.http;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.sluice.server.decide.RequestBounds;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** Answers requests that are not valid HTTP or too large, and closes their connections: the next request cannot be found. */
final class MalformedRequests {
    private MalformedRequests() {}

    static void answer(HttpServerRequest request) {
        request.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        Throwable cause = request.decoderResult().cause();
        if (cause instanceof TooLongHttpLineException) {
            Problems.answer(request, 414, "a request line of more than " + RequestBounds.HEADERS + " bytes");
        } else if (cause instanceof TooLongHttpHeaderException) {
            Problems.answer(request, 431, "headers of more than " + RequestBounds.HEADERS + " bytes");
        } else {
            Problems.answer(request, 400, "not HTTP (expected: a request as in RFC 9112)");
        }
    }
}
