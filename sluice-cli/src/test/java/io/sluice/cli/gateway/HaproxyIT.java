package io.sluice.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.PolicyFixtures;
import io.sluice.cli.serve.ServerProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real HAProxy asks Sluice before it lets a request through. */
class HaproxyIT {
    private static final String POLICIES = """
              - { name: per-tenant, key: [tenant], limit: fixed-window 2 per 1h from-first }
              - { name: login, match: { path: /login, method: POST }, key: [ip], limit: fixed-window 1 per 1h from-first }
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private ServerProcess sluice;
    private EchoServer backend;
    private Gateway haproxy;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException, InterruptedException {
        sluice = ServerProcess.start(
                "--config",
                PolicyFixtures.file(directory, "policies.yaml", POLICIES).toString());
        backend = new EchoServer();
        haproxy = Haproxy.start(directory, sluice.port(), backend.port());
    }

    @AfterEach
    void end() {
        if (haproxy != null) {
            haproxy.close();
        }
        backend.close();
        sluice.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void requests_areLetThroughUntilTheLimit_andThen429() throws IOException, InterruptedException {
        for (int left = 1; left >= 0; left--) {
            HttpResponse<String> response =
                    send(haproxy.request("/orders?x=y", "acme").POST(BodyPublishers.ofString("body")));

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("POST body");
        }
        HttpResponse<String> denied = send(haproxy.request("/orders", "acme"));

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After").orElse("")).matches("3600|35[0-9][0-9]");
        assertThat(backend.asked()).isEqualTo(2);
    }

    /** Its query is not that of the question, and its headers say nothing of it. */
    @Test
    void whatTheClientSays_doesNotCount() throws IOException, InterruptedException {
        assertThat(send(haproxy.request("/orders")).statusCode()).isEqualTo(401);
        for (int status : new int[] {200, 200, 429}) {
            assertThat(send(haproxy.request("/orders?permits=0&deny=200", "acme")
                                    .header("X-Sluice-Tenant", "made-up-" + status)
                                    .header("X-Tenant", "made-up-" + status)
                                    .header("X-Original-URI", "/other"))
                            .statusCode())
                    .isEqualTo(status);
        }
    }

    @Test
    void pathMethodAndAddress_areTheClients() throws IOException, InterruptedException {
        HttpRequest.Builder login = haproxy.request("/a/../%6cogin?x", "acme").POST(BodyPublishers.ofString("body"));

        assertThat(send(login.copy().header("X-Forwarded-For", "203.0.113.9")).statusCode())
                .isEqualTo(200);
        assertThat(send(login.copy().header("X-Forwarded-For", "203.0.113.10")).statusCode())
                .isEqualTo(429);
        assertThat(send(haproxy.request("/login", "acme")).statusCode()).isEqualTo(200);
    }

    /** HAProxy takes longer headers than others: what is too long to be asked about does not go on either. */
    @Test
    void path_howeverLong_isDecidedOrRefused() throws IOException {
        for (int status : new int[] {200, 200, 429}) {
            assertThat(haproxy.status("/" + "x".repeat(8000), "acme")).isEqualTo(status);
        }
        for (int length = 14_000; length < 16_000; length += 100) {
            assertThat(haproxy.status("/" + "x".repeat(length), "acme")).isIn(429, 503, 400, 414, 431);
        }
        assertThat(backend.asked()).isEqualTo(2);
    }
}
