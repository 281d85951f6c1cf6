package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.TimeSource;
import io.sluice.http.ClientAddress;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.WebhookHosts;
import io.sluice.server.DashboardAccess;
import io.sluice.server.guard.AuthAttempts;
import io.sluice.server.http.Routes;
import io.sluice.server.recording.Recording;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** Policies that the admin API cannot replace. */
class ReadOnlyPolicyRepositoryTest {
    private static final String YAML = "version: 1\npolicies: []\n";

    @Test
    void replace_ofReadOnlyPolicies_is409_andReadsStillWork() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(Policies.parse(YAML, "test.yaml"))
                .build()) {
            AuthAttempts attempts = new AuthAttempts("t", (delay, task) -> task.run(), TimeSource.system());
            CallerAddress caller = new CallerAddress(new ClientAddress());
            Routes routes =
                    new Routes(new AdminAccess(new AdminToken("t", attempts, caller), null, DashboardAccess.OFF));
            new AdminRoutes(
                            vertx,
                            engine,
                            new ReadOnlyPolicyRepository(engine, "a directory"),
                            new FileOverrideRepository(engine, null),
                            new EditionAuthors(null, null),
                            new Recording(TimeSource.system(), engine::attributes),
                            WebhookHosts.ANY,
                            caller)
                    .addTo(routes);
            HttpServer server = vertx.createHttpServer()
                    .requestHandler(routes)
                    .listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get();
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.actualPort() + "/v1/policies"))
                    .header("Authorization", "Bearer t");
            HttpClient http = HttpClient.newHttpClient();
            assertThat(http.send(request.build(), BodyHandlers.ofString()).body())
                    .isEqualTo(YAML);
            HttpResponse<String> answer = http.send(
                    request.header("If-Match", "*")
                            .PUT(BodyPublishers.ofString(YAML))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(409);
            assertThat(answer.body()).contains("the policies come from a directory (expected: a change there)");
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get();
        }
    }
}
