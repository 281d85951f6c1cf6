package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The admin API needs the token. */
class AdminTokenTest {
    private int clients;

    private static HttpRequest.Builder asking(AdminClient client, String route) {
        int space = route.indexOf(' ');
        return client.anonymous(route.substring(space + 1)).method(route.substring(0, space), BodyPublishers.noBody());
    }

    /** Sends a request for a new client address, so that the response to its wrong token is not delayed. */
    private HttpRequest.Builder forAnother(HttpRequest.Builder request) {
        return request.header("X-Forwarded-For", "192.0.2." + ++clients);
    }

    private static void assertRefused(HttpResponse<String> response, String route, String why) {
        assertThat(response.statusCode()).as(route).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"sluice\"");
        assertThat(AdminClient.problem(response)).as(route).contains(why);
    }

    @Test
    void everyAdminRoute_withoutTheToken_is401() {
        try (SluiceServer server = SluiceServer.start(AdminClient.config().build())) {
            AdminClient client = new AdminClient(server.port());
            List<String> routes = server.routes.adminOnly();
            assertThat(routes)
                    .contains("GET /v1/policies", "PUT /v1/policies", "POST /v1/reset", "GET /v1/events")
                    .hasSizeGreaterThanOrEqualTo(8);
            for (String route : routes) {
                assertRefused(client.send(asking(client, route)), route, "no token");
                for (String wrong : List.of(
                        "Bearer open-sesam",
                        "Bearer open-sesame2",
                        "Bearer ",
                        "Basic open-sesame",
                        "open-sesame",
                        "Bearer OPEN-SESAME")) {
                    assertRefused(
                            client.send(forAnother(asking(client, route)).header("Authorization", wrong)),
                            route,
                            "not the admin");
                }
            }
        }
    }

    @Test
    void everyAdminRoute_onAServerWithoutAToken_is401WithTheReason() {
        try (SluiceServer server =
                SluiceServer.start(ServerConfig.builder().port(0).respPort(-1).build())) {
            AdminClient client = new AdminClient(server.port());
            for (String route : server.routes.adminOnly()) {
                assertRefused(client.send(asking(client, route)), route, "no admin token, so the admin API is closed");
                assertRefused(
                        client.send(asking(client, route).header("Authorization", "Bearer ")),
                        route,
                        "no admin token, so the admin API is closed");
            }
        }
    }

    @Test
    void token_withTheSchemeInAnyCase_isAccepted() {
        try (SluiceServer server = SluiceServer.start(AdminClient.config().build())) {
            AdminClient client = new AdminClient(server.port());
            HttpRequest.Builder request =
                    client.anonymous("/v1/policies").header("Authorization", "bearer open-sesame");
            assertThat(client.send(request).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void refusedChange_isAudited_withoutTheTriedToken() {
        try (SluiceServer server = SluiceServer.start(AdminClient.config().build());
                CapturedAuditLog audit = new CapturedAuditLog()) {
            AdminClient client = new AdminClient(server.port());
            client.send(asking(client, "PUT /v1/policies").header("Authorization", "Bearer guessed"));
            client.send(asking(client, "GET /v1/policies").header("Authorization", "Bearer guessed"));
            assertThat(audit.lines).containsExactly("who=127.0.0.1 what=\"PUT /v1/policies\" result=401");
        }
    }

    @Test
    void refusals_inThousands_doNotFillTheLog() {
        try (SluiceServer server = SluiceServer.start(AdminClient.config().build());
                CapturedAuditLog audit = new CapturedAuditLog()) {
            AdminClient client = new AdminClient(server.port());
            for (int i = 0; i < 400; i++) {
                client.send(asking(client, "POST /v1/reset"));
            }
            assertThat(audit.lines).hasSizeBetween(100, 399);
        }
    }

    @Tag("slow")
    @Test
    void wrongTokens_whenManyResponsesAreDelayed_areRefused_forThatAddressOnly() {
        try (SluiceServer server = SluiceServer.start(AdminClient.config().build());
                CapturedServerLog log = new CapturedServerLog()) {
            AdminClient client = new AdminClient(server.port());
            List<CompletableFuture<HttpResponse<String>>> tries = IntStream.range(0, 40)
                    .mapToObj(i -> client.sendAsync(as("203.0.113.9", client.anonymous("/v1/policies"), "guess-" + i)))
                    .toList();
            List<HttpResponse<String>> answers =
                    tries.stream().map(CompletableFuture::join).toList();
            // Some responses come at once, some are delayed; the rest was not compared.
            assertThat(answers)
                    .extracting(HttpResponse::statusCode)
                    .contains(401, 429)
                    .containsOnly(401, 429);
            assertThat(answers)
                    .filteredOn(answer -> answer.statusCode() == 429)
                    .allSatisfy(answer -> assertThat(answer.headers().firstValue("Retry-After"))
                            .hasValue("5"));
            assertThat(log.warnings())
                    .filteredOn(line -> line.contains("admin-token"))
                    .hasSize(1);

            HttpRequest.Builder right = as("203.0.113.10", client.anonymous("/v1/policies"), AdminClient.TOKEN);
            assertThat(client.send(right).statusCode()).isEqualTo(200);
            assertThat(client.get("/metrics").body())
                    .contains("sluice_auth_wrong_total{secret=\"admin-token\"}")
                    .contains("sluice_auth_refused_total{secret=\"admin-token\"}");
        }
    }

    @Tag("slow")
    @Test
    void rightToken_fromAnAuthenticatedAddress_isAccepted_despiteWrongTokensFromThere() {
        try (SluiceServer server = SluiceServer.start(AdminClient.config().build())) {
            AdminClient client = new AdminClient(server.port());
            String shared = "203.0.113.9";
            assertThat(client.send(as(shared, client.anonymous("/v1/policies"), AdminClient.TOKEN))
                            .statusCode())
                    .isEqualTo(200);
            List<CompletableFuture<HttpResponse<String>>> tries = IntStream.range(0, 40)
                    .mapToObj(i -> client.sendAsync(as(shared, client.anonymous("/v1/policies"), "guess-" + i)))
                    .toList();
            Eventually.await(
                    "some are refused",
                    () -> tries.stream()
                            .anyMatch(each -> each.isDone() && each.join().statusCode() == 429));
            assertThat(client.send(as(shared, client.anonymous("/v1/policies"), AdminClient.TOKEN))
                            .statusCode())
                    .isEqualTo(200);
            tries.forEach(CompletableFuture::join);
        }
    }

    private static HttpRequest.Builder as(String address, HttpRequest.Builder request, String token) {
        return request.header("X-Forwarded-For", address).header("Authorization", "Bearer " + token);
    }
}
