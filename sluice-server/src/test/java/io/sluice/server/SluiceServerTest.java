package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SluiceServerTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private static ServerConfig.Builder config() {
        return ServerConfig.builder().port(0).respPort(-1);
    }

    private static HttpResponse<String> get(SluiceServer server, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void health_isUpAndReady() throws Exception {
        try (SluiceServer server = SluiceServer.start(config().build())) {
            assertThat(get(server, "/healthz").body()).isEqualTo("{\"status\":\"up\"}");
            HttpResponse<String> ready = get(server, "/readyz");
            assertThat(ready.statusCode()).isEqualTo(200);
            assertThat(ready.headers().firstValue("content-type")).contains("application/json");
        }
    }

    @Test
    void metrics_haveTheAcceptedFormat() throws Exception {
        try (SluiceServer server = SluiceServer.start(config().build())) {
            HttpResponse<String> text = get(server, "/metrics");
            assertThat(text.headers().firstValue("content-type")).contains("text/plain; version=0.0.4; charset=utf-8");
            assertThat(text.body())
                    .contains("sluice_requests_total{outcome=\"allowed\"} 0.0\n")
                    .contains("sluice_decisions_total{outcome=\"allowed\",policy=\"per-tenant\"} 0.0\n")
                    .contains("sluice_keys 0.0\n")
                    .contains("sluice_connections{listener=\"http\"} ")
                    .contains("sluice_alerts_webhooks_total{outcome=\"delivered\"} 0.0\n")
                    .contains("sluice_build_info{")
                    .contains("jvm_memory_used_bytes{")
                    .contains("process_uptime_seconds ");

            HttpResponse<String> open = get(
                    server,
                    "/metrics",
                    "Accept",
                    "application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5");
            assertThat(open.headers().firstValue("content-type"))
                    .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
            assertThat(open.body()).endsWith("# EOF\n");
        }
    }

    @Test
    void metrics_ofManyPolicies_doNotBlockOtherRequests() throws Exception {
        Path policies = directory.resolve("many.yaml");
        Files.writeString(
                policies,
                IntStream.range(0, 10_000)
                        .mapToObj(i -> "  - { name: policy-" + i + ", match: { tenant: t" + i + " }, limit: 1/s }\n")
                        .collect(Collectors.joining("", "version: 1\npolicies:\n", "")));
        try (SluiceServer server =
                SluiceServer.start(config().policies(policies).build())) {
            var scrapes = IntStream.range(0, 8)
                    .mapToObj(i -> CLIENT.sendAsync(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                                    .build(),
                            BodyHandlers.ofString()))
                    .toList();

            assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);

            for (var scrape : scrapes) {
                assertThat(scrape.join().statusCode()).isEqualTo(200);
                assertThat(scrape.join().body()).contains("policy=\"policy-9999\"");
            }
        }
    }

    @Test
    void metrics_whenClosed_needTheToken() throws Exception {
        try (SluiceServer server = SluiceServer.start(
                config().openMetrics(false).adminToken("token").build())) {
            assertThat(get(server, "/metrics").statusCode()).isEqualTo(401);
        }
    }

    @Test
    void portInUse_isReported() {
        try (SluiceServer server = SluiceServer.start(config().build())) {
            int port = server.port();
            assertThatThrownBy(() -> SluiceServer.start(config().port(port).build()))
                    .isInstanceOf(StartException.class)
                    .hasMessageStartingWith("cannot listen on 127.0.0.1:" + port + ": ")
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void unknownHost_isReported() {
        assertThatThrownBy(() ->
                        SluiceServer.start(config().host("no.such.host.invalid").build()))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("cannot listen on no.such.host.invalid:0: no such host");
    }

    @Test
    void close_completesARequestInFlight_andThenClosesItsConnection() throws Exception {
        SluiceServer server =
                SluiceServer.start(config().stopDeadline(Duration.ofSeconds(60)).build());
        try (RawHttpConnection slow = new RawHttpConnection(server.port());
                RawHttpConnection idle = new RawHttpConnection(server.port())) {
            idle.say("GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(idle.answer()).contains(" 200 ");
            String body = "{\"attributes\":{\"tenant\":\"acme\"}}";
            slow.say("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(slow.answer()).contains(" 200 ");
            slow.say("POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n"
                    + body.substring(0, 5));
            awaitRequests(server, 3);

            CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
            assertThat(idle.hear()).isEmpty();
            awaitRefusal(server.port());
            assertThat(closed).isNotDone();
            slow.say(body.substring(5));

            assertThat(slow.hear()).startsWith("HTTP/1.1 200 OK").contains("\"allowed\":true");
            closed.orTimeout(60, TimeUnit.SECONDS).join();
        }
    }

    @Test
    void close_endsRequestsThatTakeTooLong() throws Exception {
        SluiceServer server =
                SluiceServer.start(config().stopDeadline(Duration.ofMillis(200)).build());
        try (RawHttpConnection slow = new RawHttpConnection(server.port())) {
            slow.say("POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
            awaitRequests(server, 1);

            server.close();

            assertThat(slow.hear()).isEmpty();
        }
    }

    /** Waits until the server has read the headers of so many requests, without those for the metrics. */
    private static void awaitRequests(SluiceServer server, int sent) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (int scrapes = 1; requests(server) < sent + scrapes; scrapes++) {
            assertThat(System.nanoTime()).isLessThan(end);
        }
    }

    private static double requests(SluiceServer server) throws Exception {
        String line = get(server, "/metrics")
                .body()
                .lines()
                .filter(one -> one.startsWith("sluice_http_requests_total "))
                .findFirst()
                .orElseThrow();
        return Double.parseDouble(line.substring(line.indexOf(' ') + 1));
    }

    private static void awaitRefusal(int port) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                new RawHttpConnection(port).close();
                assertThat(System.nanoTime()).as("still accepts").isLessThan(end);
                LockSupport.parkNanos(1_000_000);
            } catch (ConnectException e) {
                return;
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }
}
