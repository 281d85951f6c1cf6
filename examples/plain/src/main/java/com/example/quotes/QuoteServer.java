package com.example.quotes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers {@code GET /quote}. Each API key may ask 5 times a second, and 10 times at once. */
public final class QuoteServer implements AutoCloseable {
    static final Limit LIMIT = Limit.parse("5/s burst 10");

    private final RateLimiter limiter;
    private final HttpServer http;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    QuoteServer(int port, RateLimiter limiter) throws IOException {
        this.limiter = limiter;
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        http.setExecutor(threads);
        http.createContext("/quote", this::quote);
        http.start();
    }

    public static void main(String[] args) throws IOException {
        QuoteServer server = new QuoteServer(8081, RateLimiter.of(LIMIT));
        System.out.println("listening on http://localhost:" + server.port() + "/quote");
    }

    int port() {
        return http.getAddress().getPort();
    }

    private void quote(HttpExchange exchange) throws IOException {
        String apiKey = exchange.getRequestHeaders().getFirst("X-Api-Key");
        if (apiKey == null) {
            answer(exchange, 401, "X-Api-Key is missing\n");
            return;
        }
        Decision decision = limiter.check(apiKey);
        if (decision.allowed()) {
            answer(exchange, 200, "Measure twice, cut once. (" + decision.remaining() + " more)\n");
        } else {
            exchange.getResponseHeaders().set("Retry-After", Long.toString(seconds(decision.retryAfter())));
            answer(exchange, 429, "Too many requests\n");
        }
    }

    /** Whole seconds, rounded up: a client that comes back too early is denied again. */
    private static long seconds(Duration duration) {
        return duration.plusNanos(999_999_999).toSeconds();
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdown();
        limiter.close();
    }
}
