package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.TestServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Routes on a plain HTTP server. */
class RoutesTest {
    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client = HttpClient.newHttpClient();
    private final ConcurrentLinkedQueue<LogRecord> logged = new ConcurrentLinkedQueue<>();
    private final Logger logger = Logger.getLogger("io.sluice.server");
    private final Handler log = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(log);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void close() {
        logger.removeHandler(log);
        logger.setUseParentHandlers(true);
        vertx.close().await();
    }

    private HttpResponse<String> post(Routes routes, String path, String body)
            throws IOException, InterruptedException {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(routes)
                .listen(0, "127.0.0.1")
                .await();
        URI uri = URI.create("http://127.0.0.1:" + server.actualPort() + path);
        return client.send(
                HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private static Routes routes() {
        return new Routes(RouteGuard.NONE);
    }

    @Test
    void route_thatThrows_is500_andItsStackTraceIsLogged() throws IOException, InterruptedException {
        HttpResponse<String> response = post(
                routes().open(HttpMethod.POST, "/a", request -> {
                    throw new IllegalStateException("oops");
                }),
                "/a",
                "");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(response.body()).contains("\"status\":500").doesNotContain("oops", "IllegalState");
        assertThat(logged)
                .hasSize(1)
                .allSatisfy(line -> assertThat(line.getThrown()).hasMessage("oops"));
    }

    @Test
    void route_thatThrowsOnItsBody_is500AndOneLine() throws IOException, InterruptedException {
        HttpResponse<String> response = post(
                routes().open(
                                HttpMethod.POST,
                                "/a",
                                request -> RequestBodies.read(request, body -> {
                                    throw new IllegalStateException("oops");
                                })),
                "/a",
                "body");

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(logged).hasSize(1);
    }

    @Test
    void body_withAnotherMaximum_isRead() throws IOException, InterruptedException {
        Routes routes = routes().open(
                        HttpMethod.POST,
                        "/a",
                        request -> RequestBodies.read(
                                request, 100_000, body -> request.response().end("" + body.length())));

        assertThat(post(routes, "/a", "x".repeat(100_000)).body()).isEqualTo("100000");
        assertThat(post(routes, "/a", "x".repeat(100_001)).statusCode()).isEqualTo(413);
    }

    @Test
    void explain_listsThePoliciesThatApply_andChargesNothing() throws IOException, InterruptedException {
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(Policies.parse(TestServer.THREE_EACH, "test"))
                .build()) {
            Routes routes = routes().admin(HttpMethod.POST, "/v1/explain", new ExplainRoute(engine));
            String body = "{\"attributes\":{\"tenant\":\"a\",\"tenat\":\"b\"},\"permits\":2}";

            assertThat(post(routes, "/v1/explain", body).body())
                    .isEqualTo(post(routes, "/v1/explain", body).body())
                    .isEqualTo(
                            "{\"attributes\":{\"tenant\":\"a\"},\"unused\":[\"tenat\"],\"permits\":2,\"allowed\":true,"
                                    + "\"policies\":[{\"policy\":\"per-tenant\",\"applies\":true,\"reason\":\"every condition holds\","
                                    + "\"mode\":\"enforce\",\"passed_overrides\":[],\"key\":{\"tenant\":\"a\"},"
                                    + "\"limit\":\"fixed-window 3/h from-first\",\"kept\":0,\"state\":{\"allowed\":true,"
                                    + "\"remaining\":3,\"retry_after_us\":0,\"delay_us\":0,\"reset_after_us\":0}},"
                                    + "{\"policy\":\"per-ip\",\"applies\":false,\"reason\":\"path is absent (expected: \\\"/api/**\\\")\","
                                    + "\"mode\":\"enforce\"}]}");
            assertThat(post(routes, "/v1/explain", "{}").statusCode()).isEqualTo(400);
        }
    }

    @Test
    void listing_hasAllRoutes() {
        Route none = request -> {};
        Routes routes =
                routes().open("/any", none).open(HttpMethod.GET, "/a", none).admin(HttpMethod.PUT, "/a", none);

        assertThat(routes.listing()).containsEntry("/any", Set.of()).containsEntry("/a", Set.of("GET", "PUT"));
        assertThat(routes.adminOnly()).containsExactly("PUT /a");
    }
}
