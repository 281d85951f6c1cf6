package io.sluice.server.http;

import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.decide.RequestDecider;
import io.sluice.spi.PolicyStore;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The routes of checks and reservations, on a store of the test. */
final class SettleServer implements AutoCloseable {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: per-tenant, key: [tenant], limit: fixed-window 100 per 1d from-first }
              - { name: counted, match: { counted: "yes" }, key: [tenant], limit: fixed-window 50 per 1d from-first, charge: always }
            """;
    private static final Pattern RESERVATION = Pattern.compile(",\"reservation\":\"([^\"]*)\"}$");
    private static final Pattern REMAINING =
            Pattern.compile("\"policy\":\"([a-z-]+)\"[^}]*}[^}]*\"remaining\":([0-9]+)");

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final PolicyEngine engine;
    private final int port;

    SettleServer(PolicyStore store) {
        engine = PolicyEngine.builder()
                .store(store)
                .policies(Policies.parse(POLICIES, "test.yaml"))
                .build();
        RequestDecider decider = new RequestDecider(engine, store instanceof MemoryStore);
        port = vertx.createHttpServer()
                .requestHandler(new Routes(RouteGuard.NONE)
                        .open(HttpMethod.POST, "/v1/check", CheckRoute.check(decider, false))
                        .open(HttpMethod.POST, "/v1/reserve", new ReserveRoute(decider, false))
                        .open(HttpMethod.POST, "/v1/settle", new SettleRoute(decider, false)))
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    HttpResponse<String> post(String path, String body) {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reserves for a tenant. More fields begin with a comma. */
    HttpResponse<String> reserve(String tenant, long permits, String more) {
        return post(
                "/v1/reserve", "{\"attributes\":{\"tenant\":\"" + tenant + "\"},\"permits\":" + permits + more + "}");
    }

    /** Reserves for a tenant, and returns the reservation. */
    String reserved(String tenant, long permits) {
        return reservation(reserve(tenant, permits, ""));
    }

    /** The reservation of an answer; empty if it has none. */
    static String reservation(HttpResponse<String> response) {
        Matcher matcher = RESERVATION.matcher(response.body());
        return matcher.find() ? matcher.group(1) : "";
    }

    HttpResponse<String> settle(String reservation, long permits) {
        return post("/v1/settle", "{\"reservation\":\"" + reservation + "\",\"permits\":" + permits + "}");
    }

    /** What a tenant has left, by a look. */
    long remaining(String policy, String tenant) {
        Matcher matcher = REMAINING.matcher(
                post("/v1/check", "{\"attributes\":{\"tenant\":\"" + tenant + "\",\"counted\":\"yes\"},\"permits\":0}")
                        .body());
        while (matcher.find()) {
            if (matcher.group(1).equals(policy)) {
                return Long.parseLong(matcher.group(2));
            }
        }
        throw new IllegalStateException(policy + " does not apply");
    }

    long remaining(String tenant) {
        return remaining("per-tenant", tenant);
    }

    @Override
    public void close() {
        vertx.close().await();
        engine.close();
    }
}
