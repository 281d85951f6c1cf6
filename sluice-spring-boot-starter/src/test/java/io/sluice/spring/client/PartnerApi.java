package io.sluice.spring.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An API on this machine that counts its requests and answers as a test says. */
public final class PartnerApi implements AutoCloseable {
    private record Reply(int status, Map<String, String> headers) {}

    private final HttpServer server;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile Reply reply = new Reply(200, Map.of());

    public PartnerApi() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        Reply now = reply;
        now.headers().forEach(exchange.getResponseHeaders()::add);
        byte[] body = "from the API".getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(now.status(), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** All later requests are answered so. */
    public void answers(int status, Map<String, String> headers) {
        reply = new Reply(status, headers);
    }

    /** The number of requests so far. */
    public int requests() {
        return requests.get();
    }

    /** Its URL, without a path. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
