package com.example.orders;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Plays the partner, and writes down when each call arrived, by its own clock. */
final class PartnerStub implements AutoCloseable {
    private final List<Long> arrivals = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer http;

    PartnerStub() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/shipments", this::ship);
        http.start();
    }

    String url() {
        return "http://localhost:" + http.getAddress().getPort();
    }

    private void ship(HttpExchange exchange) throws IOException {
        synchronized (arrivals) {
            arrivals.add(System.nanoTime());
        }
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
        }
    }

    int calls() {
        synchronized (arrivals) {
            return arrivals.size();
        }
    }

    /** The most calls in any window of that length, wherever it begins. */
    int mostIn(Duration window) {
        synchronized (arrivals) {
            int most = 0;
            int first = 0;
            for (int last = 0; last < arrivals.size(); last++) {
                while (arrivals.get(last) - arrivals.get(first) >= window.toNanos()) {
                    first++;
                }
                most = Math.max(most, last - first + 1);
            }
            return most;
        }
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdown();
    }
}
