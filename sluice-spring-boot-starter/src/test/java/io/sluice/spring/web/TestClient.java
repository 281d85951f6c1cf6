package io.sluice.spring.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Sends requests to an application on this machine. A request that is not answered within a minute fails. */
public final class TestClient {
    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    public TestClient(int port) {
        this.port = port;
    }

    /** Gets a path. The headers are names and values in turn. */
    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return client.send(request(path, headers), HttpResponse.BodyHandlers.ofString());
    }

    public CompletableFuture<HttpResponse<String>> getAsync(String path, String... headers) {
        return client.sendAsync(request(path, headers), HttpResponse.BodyHandlers.ofString());
    }

    /** The URI of a path. */
    public URI uri(String path) {
        return URI.create("http://localhost:" + port + path);
    }

    private HttpRequest request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofMinutes(1));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }
}
