package io.sluice.server.http;

import io.sluice.memory.MemoryStore;
import io.sluice.policy.Cidr;
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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The routes of checks and of what they hold, on a store of the test. */
final class HoldServer implements AutoCloseable {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: in-flight, key: [tenant], limit: concurrency 2 hold 30s }
              - { name: rate, key: [tenant], limit: fixed-window 100 per 1d from-first }
            """;
    private static final Pattern HOLDS = Pattern.compile("\"holds\":\"([^\"]*)\"}");
    private static final Pattern REMAINING =
            Pattern.compile("\"policy\":\"([a-z-]+)\"[^}]*}[^}]*\"remaining\":([0-9]+)");

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    final PolicyEngine engine;
    final int port;

    HoldServer(PolicyStore store) {
        engine = PolicyEngine.builder()
                .store(store)
                .policies(Policies.parse(POLICIES, "test.yaml"))
                .build();
        RequestDecider decider = new RequestDecider(engine, store instanceof MemoryStore);
        port = vertx.createHttpServer()
                .requestHandler(new Routes(RouteGuard.NONE)
                        .open(HttpMethod.POST, "/v1/check", CheckRoute.check(decider, false))
                        .open(HttpMethod.POST, "/v1/charge", CheckRoute.charge(decider, false))
                        .open(HttpMethod.POST, "/v1/check:batch", new BatchRoute(decider))
                        .open("/v1/auth", new AuthRoute(decider, List.of(Cidr.parse("127.0.0.0/8")), false))
                        .open(HttpMethod.POST, "/v1/release", HoldRoute.release(decider))
                        .open(HttpMethod.POST, "/v1/renew", HoldRoute.renew(decider)))
                .listen(0, "127.0.0.1")
                .await()
                .actualPort();
    }

    HttpResponse<String> post(String path, String body) {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    /** What a gateway asks for a request of a tenant. */
    HttpResponse<String> auth(String tenant) {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/auth"))
                .header("X-Sluice-Tenant", tenant)
                .build());
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> check(String tenant, long permits) {
        return post("/v1/check", "{\"attributes\":{\"tenant\":\"" + tenant + "\"},\"permits\":" + permits + "}");
    }

    /** What the check of a tenant holds. */
    String held(String tenant) {
        return holds(check(tenant, 1));
    }

    /** What an answer says that is held; empty if it says nothing. */
    static String holds(HttpResponse<String> response) {
        Matcher matcher = HOLDS.matcher(response.body());
        return matcher.find() ? matcher.group(1) : "";
    }

    int release(String holds) {
        return post("/v1/release", "{\"holds\":\"" + holds + "\"}").statusCode();
    }

    int renew(String holds) {
        return post("/v1/renew", "{\"holds\":\"" + holds + "\"}").statusCode();
    }

    /** The permits that a tenant could hold, by a look. */
    long free(String tenant) {
        return remaining("in-flight", tenant);
    }

    long remaining(String policy, String tenant) {
        Matcher matcher = REMAINING.matcher(check(tenant, 0).body());
        while (matcher.find()) {
            if (matcher.group(1).equals(policy)) {
                return Long.parseLong(matcher.group(2));
            }
        }
        throw new IllegalStateException(policy + " does not apply");
    }

    @Override
    public void close() {
        vertx.close().await();
        engine.close();
    }
}
