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

/**
 * The set-up and the tests that all gateways share: a real gateway asks Sluice before it forwards a request to the backend.
 */
abstract class GatewayContract {
    private static final String POLICIES = """
              - { name: per-tenant, key: [tenant], limit: fixed-window 2 per 1h from-first }
              - { name: login, match: { path: /login, method: POST }, key: [ip], limit: fixed-window 1 per 1h from-first }
            """;

    private final HttpClient client = HttpClient.newHttpClient();
    private ServerProcess sluice;
    private EchoServer backend;
    private Gateway gateway;

    /** Starts a gateway that waits for decisions however busy the machine is. */
    abstract Gateway start(Path directory, int sluicePort, int backendPort) throws IOException, InterruptedException;

    @BeforeEach
    void startAll(@TempDir Path directory) throws IOException, InterruptedException {
        sluice = ServerProcess.start(
                "--config",
                PolicyFixtures.file(directory, "policies.yaml", POLICIES).toString());
        backend = new EchoServer();
        gateway = start(directory, sluice.port(), backend.port());
    }

    @AfterEach
    void stopAll() {
        if (gateway != null) {
            gateway.close();
        }
        backend.close();
        sluice.close();
    }

    Gateway gateway() {
        return gateway;
    }

    EchoServer backend() {
        return backend;
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void requests_areForwardedUntilTheLimit_andThen429() throws IOException, InterruptedException {
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> response =
                    send(gateway.request("/orders?x=y", "acme").POST(BodyPublishers.ofString("body")));

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("POST body");
        }
        HttpResponse<String> denied = send(gateway.request("/orders", "acme"));

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Retry-After").orElse("")).matches("3600|35[0-9][0-9]");
        assertThat(backend.requestCount()).isEqualTo(2);
    }

    @Test
    void queryAndHeadersOfTheClient_doNotChangeTheDecision() throws IOException, InterruptedException {
        assertThat(send(gateway.request("/orders")).statusCode()).isEqualTo(401);
        for (int status : new int[] {200, 200, 429}) {
            assertThat(send(gateway.request("/orders?permits=0&deny=200", "acme")
                                    .header("X-Sluice-Tenant", "made-up-" + status)
                                    .header("X-Tenant", "made-up-" + status)
                                    .header("X-Original-URI", "/other"))
                            .statusCode())
                    .isEqualTo(status);
        }
    }

    /** Sluice sees the path as the client requested it, in any spelling, and the real address of the client. */
    @Test
    void pathMethodAndAddress_areThoseOfTheRequest() throws IOException, InterruptedException {
        HttpRequest.Builder login = gateway.request("/a/../%6cogin?x", "acme").POST(BodyPublishers.ofString("body"));

        assertThat(send(login.copy().header("X-Forwarded-For", "203.0.113.9")).statusCode())
                .isEqualTo(200);
        assertThat(send(login.copy().header("X-Forwarded-For", "203.0.113.10")).statusCode())
                .isEqualTo(429);
        assertThat(send(gateway.request("/login", "acme")).statusCode()).isEqualTo(200);
    }
}
