package io.sluice.deploy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A cluster that has nothing but some secrets. Helm asks it for them while it renders the chart. */
final class Cluster {
    static final Cluster EMPTY = new Cluster(Map.of());

    private static final String RESOURCES = """
            {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"v1","resources":[
              {"name":"secrets","singularName":"secret","namespaced":true,"kind":"Secret","verbs":["get"]}]}
            """;
    private static final String NOT_FOUND = """
            {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}
            """;

    private final Map<String, String> secrets;
    private final HttpServer server;

    /** @param secrets the JSON of each secret, by its path in the API */
    Cluster(Map<String, String> secrets) {
        this.secrets = secrets;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    /** Makes it the cluster that Helm asks from now on. */
    void use() {
        Path file = Path.of(System.getenv("KUBECONFIG"));
        try {
            Files.writeString(file, """
                    apiVersion: v1
                    kind: Config
                    clusters: [{ name: test, cluster: { server: "http://127.0.0.1:%d" } }]
                    contexts: [{ name: test, context: { cluster: test, user: test } }]
                    users: [{ name: test, user: {} }]
                    current-context: test
                    """.formatted(server.getAddress().getPort()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = path.equals("/api/v1") ? RESOURCES : secrets.get(path);
        byte[] bytes = (body == null ? NOT_FOUND : body).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(body == null ? 404 : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
