package com.example.partner;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Plays the partner, and writes down when each call arrived and who sent it. */
final class PartnerStub implements AutoCloseable {
    record Arrival(long nanos, String process) {}

    private final List<Arrival> arrivals = new ArrayList<>();
    private final CountDownLatch enough;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer http;

    PartnerStub(int calls) throws IOException {
        enough = new CountDownLatch(calls);
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/locate/", this::locate);
        http.createContext("/status", exchange -> answer(exchange, "open"));
        http.start();
    }

    String uri() {
        return "http://localhost:" + http.getAddress().getPort();
    }

    private void locate(HttpExchange exchange) throws IOException {
        synchronized (arrivals) {
            arrivals.add(new Arrival(
                    System.nanoTime(), exchange.getRequestHeaders().getFirst("X-Process")));
        }
        enough.countDown();
        answer(exchange, "52.52 N, 13.40 E");
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    boolean awaitCalls() throws InterruptedException {
        return enough.await(2, TimeUnit.MINUTES);
    }

    /** The calls, the first one first. */
    List<Arrival> arrivals() {
        synchronized (arrivals) {
            return List.copyOf(arrivals);
        }
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdown();
    }
}
