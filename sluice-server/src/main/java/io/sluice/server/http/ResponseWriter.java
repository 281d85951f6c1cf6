package io.sluice.server.http;

import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.http.RateLimitHeaders;
import io.sluice.policy.PolicyDecision;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Consumer;

/** Writes responses: JSON bodies and rate limit headers. */
final class ResponseWriter {
    static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

    private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("Retry-After");
    private static final CharSequence RATE_LIMIT_POLICY = HttpHeaders.createOptimized("RateLimit-Policy");
    private static final CharSequence RATE_LIMIT = HttpHeaders.createOptimized("RateLimit");

    /** A buffer that grew beyond this is not kept for the next response. */
    private static final int MAX_CAPACITY = 16 * 1024;

    private static final FastThreadLocal<StringBuilder> BUFFER = new FastThreadLocal<>() {
        @Override
        protected StringBuilder initialValue() {
            return new StringBuilder(MAX_CAPACITY);
        }
    };

    private ResponseWriter() {}

    /** Answers 200 with a JSON body. The future fails if the client is gone. */
    static Future<Void> json(HttpServerResponse response, Consumer<StringBuilder> body) {
        StringBuilder out = buffer();
        body.accept(out);
        Future<Void> sent = response.putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(Buffer.buffer(out.toString()));
        if (out.capacity() > MAX_CAPACITY) {
            BUFFER.remove();
        }
        return sent;
    }

    private static StringBuilder buffer() {
        StringBuilder text = BUFFER.get();
        text.setLength(0);
        return text;
    }

    /**
     * Adds the RateLimit headers.
     *
     * @param legacy whether to add {@code X-RateLimit-*} too
     */
    static void addRateLimitHeaders(HttpServerResponse response, PolicyDecision decision, boolean legacy) {
        long retryAfter = RateLimitHeaders.retryAfter(decision);
        if (retryAfter > 0) {
            response.putHeader(RETRY_AFTER, Long.toString(retryAfter));
        }
        StringBuilder text = buffer();
        RateLimitHeaders.appendPolicies(text, decision);
        if (!text.isEmpty()) {
            response.putHeader(RATE_LIMIT_POLICY, text.toString());
        }
        text.setLength(0);
        RateLimitHeaders.appendLimits(text, decision);
        if (!text.isEmpty()) {
            response.putHeader(RATE_LIMIT, text.toString());
        }
        if (legacy) {
            RateLimitHeaders.legacy(decision).forEach(response::putHeader);
        }
    }
}
