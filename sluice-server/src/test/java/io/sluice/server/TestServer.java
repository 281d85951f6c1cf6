package io.sluice.server;

import io.sluice.server.http.Routes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** A server in this process with a client. */
public final class TestServer implements AutoCloseable {
    /** Three permits for each tenant, in a window that does not end during a test; plenty for others. */
    public static final String THREE_EACH = """
            version: 1
            policies:
              - { name: per-tenant, key: [tenant], limit: fixed-window 3 per 1h from-first }
              - { name: per-ip, match: { path: "/api/**" }, key: [ip], limit: fixed-window 2 per 1h from-first }
            """;

    private final SluiceServer server;
    private final Path file;
    public final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private TestServer(Path file, SluiceServer server) {
        this.file = file;
        this.server = server;
    }

    public static TestServer open() {
        return open(THREE_EACH, config -> config);
    }

    public static TestServer open(String policies, UnaryOperator<ServerConfig.Builder> more) {
        try {
            Path file = Files.writeString(Files.createTempFile("policies", ".yaml"), policies);
            return new TestServer(
                    file,
                    SluiceServer.start(more.apply(
                                    ServerConfig.builder().port(0).respPort(-1).policies(file))
                            .build()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return server.port();
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
    }

    public HttpResponse<String> post(String path, String body) {
        return send(request(path).POST(BodyPublishers.ofString(body)));
    }

    public HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    Routes routes() {
        return server.routes;
    }

    public RawConnection wire() {
        return new RawConnection(port());
    }

    @Override
    public void close() {
        server.close();
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
