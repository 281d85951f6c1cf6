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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real nginx asks Sluice before it lets a request through. */
class NginxIT {
    private static final String POLICIES = """
              - { name: per-tenant, key: [tenant], limit: fixed-window 2 per 1h from-first }
              - { name: login, match: { path: /login, method: POST }, key: [ip], limit: fixed-window 1 per 1h from-first }
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private ServerProcess sluice;
    private EchoServer backend;
    private Nginx nginx;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException, InterruptedException {
        sluice = ServerProcess.start(
                "--config",
                PolicyFixtures.file(directory, "policies.yaml", POLICIES).toString());
        backend = new EchoServer();
        nginx = Nginx.start(directory, sluice.port(), backend.port());
    }

    @AfterEach
    void end() {
        if (nginx != null) {
            nginx.close();
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
                    send(nginx.request("/orders?x=y", "acme").POST(BodyPublishers.ofString("body")));

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("POST body");
            assertThat(response.headers().firstValue("RateLimit")).contains("\"per-tenant\";r=" + left + ";t=3600");
        }

        HttpResponse<String> denied = send(nginx.request("/orders", "acme"));

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("RateLimit").orElse("")).startsWith("\"per-tenant\";r=0;t=");
        assertThat(denied.headers().firstValue("RateLimit-Policy")).contains("\"per-tenant\";q=2;w=3600");
        assertThat(denied.headers().firstValue("Retry-After").orElse("")).matches("3600|35[0-9][0-9]");
        assertThat(send(nginx.request("/orders", "other")).statusCode()).isEqualTo(200);
    }

    @Test
    void denial_withoutMore_is403() throws IOException, InterruptedException {
        for (int status : new int[] {200, 200, 403}) {
            assertThat(send(nginx.request("/plain/x", "plain")).statusCode()).isEqualTo(status);
        }
    }

    /** Sluice sees what the client asked nginx for, however it was spelt, and not what the client says of itself. */
    @Test
    void pathMethodAndAddress_areTheClients() throws IOException, InterruptedException {
        HttpRequest.Builder login = nginx.request("/a/../%6cogin?x", "other")
                .header("X-Forwarded-For", "203.0.113.9")
                .POST(BodyPublishers.ofString("body"));

        assertThat(send(login.copy()).statusCode()).isEqualTo(200);
        assertThat(send(login.copy().header("X-Forwarded-For", "203.0.113.10")).statusCode())
                .isEqualTo(429);
        assertThat(send(nginx.request("/login", "made-up")).statusCode()).isEqualTo(200);
    }

    @Test
    void attributes_thatTheClientSendsItself_doNotCount() throws IOException, InterruptedException {
        for (int status : new int[] {200, 200, 429}) {
            assertThat(send(nginx.request("/orders", "acme").header("X-Sluice-Tenant", "made-up-" + status))
                            .statusCode())
                    .isEqualTo(status);
        }
    }

    @Test
    void tenant_isWhoWasAuthenticated() throws IOException, InterruptedException {
        assertThat(send(nginx.request("/orders")).statusCode()).isEqualTo(401);
        assertThat(send(nginx.request("/orders").header("Authorization", Gateway.basic("acme", "guessed")))
                        .statusCode())
                .isEqualTo(401);
        for (int status : new int[] {200, 200, 429}) {
            assertThat(send(nginx.request("/orders", "acme").header("X-Tenant", "made-up-" + status))
                            .statusCode())
                    .isEqualTo(status);
        }
    }

    /** Whatever the client sends, it is decided: nothing that it does makes nginx go on without a decision. */
    @ParameterizedTest
    @ValueSource(strings = {"/%ff%fe", "/a//../%25", "LONG"})
    void path_howeverStrangeOrLong_isDecided(String path) throws IOException, InterruptedException {
        String asked = path.equals("LONG") ? "/" + "x".repeat(8000) : path;
        for (int status : new int[] {200, 200, 429}) {
            assertThat(nginx.status(asked, "acme")).isEqualTo(status);
        }
    }
}
