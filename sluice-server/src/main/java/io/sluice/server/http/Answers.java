package io.sluice.server.http;

import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.http.RateLimitHeaders;
import io.sluice.policy.PolicyDecision;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.function.Consumer;

/** Writes answers. */
final class Answers {
    static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

    private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("Retry-After");
    private static final CharSequence RATE_LIMIT_POLICY = HttpHeaders.createOptimized("RateLimit-Policy");
    private static final CharSequence RATE_LIMIT = HttpHeaders.createOptimized("RateLimit");

    /** A text that grew beyond this is not kept for the next answer. */
    private static final int KEPT = 16 * 1024;

    private static final FastThreadLocal<StringBuilder> TEXT = new FastThreadLocal<>() {
        @Override
        protected StringBuilder initialValue() {
            return new StringBuilder(KEPT);
        }
    };

    private Answers() {}

    /** Answers 200 with a text that is JSON. */
    static void json(HttpServerResponse response, Consumer<StringBuilder> text) {
        StringBuilder out = text();
        text.accept(out);
        response.putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(Buffer.buffer(out.toString()));
        if (out.capacity() > KEPT) {
            TEXT.remove();
        }
    }

    private static StringBuilder text() {
        StringBuilder text = TEXT.get();
        text.setLength(0);
        return text;
    }

    /**
     * Adds the headers that tell a client its limits.
     *
     * @param legacy whether {@code X-RateLimit-*} as well
     */
    static void addLimits(HttpServerResponse response, PolicyDecision decision, boolean legacy) {
        long retryAfter = RateLimitHeaders.retryAfter(decision);
        if (retryAfter > 0) {
            response.putHeader(RETRY_AFTER, Long.toString(retryAfter));
        }
        StringBuilder text = text();
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
