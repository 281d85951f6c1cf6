package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.PolicyFixtures;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP API of the packaged jar. */
class ServeHttpIT {
    private static ServerProcess server;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void start(@TempDir Path directory) {
        server = ServerProcess.start(
                "--config",
                PolicyFixtures.file(
                                directory,
                                "policies.yaml",
                                "  - { name: per-tenant, key: [tenant], limit: fixed-window 2 per 1h from-first }\n")
                        .toString());
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(server.uri(path)).POST(BodyPublishers.ofString(body)));
    }

    @Test
    void check_isDecidedAndCharged() throws IOException, InterruptedException {
        for (boolean allowed : new boolean[] {true, true, false}) {
            HttpResponse<String> response = post("/v1/check", "{\"attributes\":{\"tenant\":\"a\"}}");

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).startsWith("{\"allowed\":" + allowed + ",");
            assertThat(response.headers().firstValue("RateLimit-Policy")).contains("\"per-tenant\";q=2;w=3600");
            assertThat(response.headers().firstValue("Retry-After").isPresent()).isEqualTo(!allowed);
        }
    }

    @Test
    void batch_isDecidedInOrder() throws IOException, InterruptedException {
        String one = "{\"attributes\":{\"tenant\":\"b\"}}";

        assertThat(post("/v1/check:batch", "{\"checks\":[" + one + "," + one + "," + one + "]}")
                        .body())
                .matches("\\{\"decisions\":\\[\\{\"allowed\":true,.*\\{\"allowed\":true,.*\\{\"allowed\":false,.*]}");
    }

    @Test
    void auth_isDecidedFromHeaders() throws IOException, InterruptedException {
        HttpRequest.Builder asked = HttpRequest.newBuilder(server.uri("/v1/auth?permits=2&deny=403"))
                .header("X-Sluice-Tenant", "c");

        assertThat(send(asked.copy()).statusCode()).isEqualTo(200);
        HttpResponse<String> denied = send(asked.copy());
        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(denied.body()).contains("quota-exceeded", "\"violated-policies\":[\"per-tenant\"]");
    }

    @Test
    void mistakes_areProblems() throws IOException, InterruptedException {
        assertThat(post("/v1/check", "{\"attributes\":{\"tenant\":1}}").body())
                .isEqualTo("{\"title\":\"Bad Request\",\"status\":400,\"detail\":\"line 1, column 25: attribute"
                        + " \\\"tenant\\\" is 1 (expected: a text, as in \\\"1\\\")\"}");
        assertThat(post("/v1/check", " ".repeat(70_000)).statusCode()).isEqualTo(413);
        assertThat(post("/v1/explain", "{\"attributes\":{}}").statusCode()).isEqualTo(401);
        assertThat(send(HttpRequest.newBuilder(server.uri("/nope"))).statusCode())
                .isEqualTo(404);
    }

    @Test
    void openApi_isServed() throws IOException, InterruptedException {
        assertThat(send(HttpRequest.newBuilder(server.uri("/openapi.yaml"))).body())
                .startsWith("openapi: 3.1.0")
                .contains("/v1/check:batch:");
    }

    @Test
    void http2_isSpoken() throws IOException, InterruptedException {
        HttpResponse<String> response = post("/v1/check", "{\"attributes\":{}}");

        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(server.log()).doesNotContain("Exception", "\tat ");
    }
}
