package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real nginx asks Sluice before it lets a request through. */
class NginxIT {
    private static final String POLICIES = """
              - { name: per-tenant, key: [tenant], limit: fixed-window 2 per 1h from-first }
              - { name: login, match: { path: /login, method: POST }, key: [ip], limit: fixed-window 1 per 1h from-first }
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private ServerProcess sluice;
    private HttpServer backend;
    private Nginx nginx;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException, InterruptedException {
        sluice = ServerProcess.start(
                "--config", Policed.file(directory, "policies.yaml", POLICIES).toString());
        backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.createContext("/", exchange -> {
            byte[] body = (exchange.getRequestMethod() + " "
                            + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        backend.start();
        nginx = Nginx.start(directory, sluice.port(), backend.getAddress().getPort());
    }

    @AfterEach
    void end() {
        if (nginx != null) {
            nginx.close();
        }
        backend.stop(0);
        sluice.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void requests_areLetThroughUntilTheLimit_andThen429() throws IOException, InterruptedException {
        for (int left = 1; left >= 0; left--) {
            HttpResponse<String> response =
                    send(nginx.request("/orders?x=y").header("X-Tenant", "acme").POST(BodyPublishers.ofString("body")));

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("POST body");
            assertThat(response.headers().firstValue("RateLimit")).contains("\"per-tenant\";r=" + left + ";t=3600");
        }

        HttpResponse<String> denied = send(nginx.request("/orders").header("X-Tenant", "acme"));

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("RateLimit").orElse("")).startsWith("\"per-tenant\";r=0;t=");
        assertThat(denied.headers().firstValue("RateLimit-Policy")).contains("\"per-tenant\";q=2;w=3600");
        assertThat(denied.headers().firstValue("Retry-After").orElse("")).matches("3600|35[0-9][0-9]");
        assertThat(send(nginx.request("/orders").header("X-Tenant", "other")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void denial_withoutMore_is403() throws IOException, InterruptedException {
        for (int status : new int[] {200, 200, 403}) {
            assertThat(send(nginx.request("/plain/x").header("X-Tenant", "plain"))
                            .statusCode())
                    .isEqualTo(status);
        }
    }

    /** Sluice sees what the client asked nginx for, however it was spelt, and not what the client says of itself. */
    @Test
    void pathMethodAndAddress_areTheClients() throws IOException, InterruptedException {
        HttpRequest.Builder login = nginx.request("/a/../%6cogin?x")
                .header("X-Forwarded-For", "203.0.113.9")
                .POST(BodyPublishers.ofString("body"));

        assertThat(send(login.copy()).statusCode()).isEqualTo(200);
        assertThat(send(login.copy().header("X-Forwarded-For", "203.0.113.10")).statusCode())
                .isEqualTo(429);
        assertThat(send(nginx.request("/login")).statusCode()).isEqualTo(200);
    }

    @Test
    void attributes_thatTheClientSendsItself_doNotCount() throws IOException, InterruptedException {
        for (int status : new int[] {200, 200, 429}) {
            assertThat(send(nginx.request("/orders")
                                    .header("X-Tenant", "acme")
                                    .header("X-Sluice-Tenant", "made-up-" + status))
                            .statusCode())
                    .isEqualTo(status);
        }
    }
}
