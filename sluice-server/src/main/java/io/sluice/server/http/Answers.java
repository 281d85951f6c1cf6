package io.sluice.server.http;

import io.netty.util.concurrent.FastThreadLocal;
import io.sluice.http.RateLimitHeaders;
import io.sluice.policy.PolicyDecision;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.Map;
import java.util.function.Consumer;

/** Writes answers. */
final class Answers {
    static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

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
        StringBuilder out = TEXT.get();
        out.setLength(0);
        text.accept(out);
        response.putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(Buffer.buffer(out.toString()));
        if (out.capacity() > KEPT) {
            TEXT.remove();
        }
    }

    /**
     * Adds the headers that tell a client its limits.
     *
     * @param legacy whether {@code X-RateLimit-*} as well
     */
    static void addLimits(HttpServerResponse response, PolicyDecision decision, boolean legacy) {
        add(response, RateLimitHeaders.of(decision));
        if (legacy) {
            add(response, RateLimitHeaders.legacy(decision));
        }
    }

    private static void add(HttpServerResponse response, Map<String, String> headers) {
        headers.forEach(response::putHeader);
    }
}
