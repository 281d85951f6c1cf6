package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.MachineSpeed;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin API of the packaged service: publication, replicas and restarts after a kill. */
class ServeAdminIT {
    private static final Map<String, String> TOKEN = Map.of("SLUICE_ADMIN_TOKEN", "open-sesame");
    private static final long LONG = Duration.ofSeconds(30).toNanos();

    private final HttpClient http = HttpClient.newHttpClient();

    private static String limit(int permits) {
        return "version: 1\npolicies:\n  - { name: all, limit: sliding-log " + permits
                + " per 1d, on-store-failure: deny }\n";
    }

    private static HttpRequest.Builder request(ServerProcess server, String path) {
        return HttpRequest.newBuilder(server.uri(path)).header("Authorization", "Bearer open-sesame");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private String tag(ServerProcess server) throws IOException, InterruptedException {
        return send(request(server, "/v1/policies"))
                .headers()
                .firstValue("ETag")
                .orElseThrow();
    }

    /** Puts policies on top of the edition in force. */
    private void put(ServerProcess server, String yaml, long after) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(
                request(server, "/v1/policies").header("If-Match", tag(server)).PUT(BodyPublishers.ofString(yaml)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).startsWith("{\"edition\":" + (after + 1) + ",");
    }

    private String policies(ServerProcess server) throws IOException, InterruptedException {
        return send(request(server, "/v1/policies")).body();
    }

    private String history(ServerProcess server) throws IOException, InterruptedException {
        return send(request(server, "/v1/policies/history")).body();
    }

    private static HttpRequest check(ServerProcess server) {
        return HttpRequest.newBuilder(server.uri("/v1/check"))
                .POST(BodyPublishers.ofString("{\"attributes\":{}}"))
                .build();
    }

    /** Sends checks from four threads until Redis has decided enough. A server that is too busy denies and charges nothing. */
    private long admitted(List<ServerProcess> servers, int requests) {
        List<CompletableFuture<Integer>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(CompletableFuture.supplyAsync(() -> admittedInTurn(servers, requests / 4)));
        }
        return threads.stream().mapToInt(CompletableFuture::join).sum();
    }

    private int admittedInTurn(List<ServerProcess> servers, int requests) {
        int admitted = 0;
        int decided = 0;
        for (int asked = 0; decided < requests; asked++) {
            assertThat(asked).as("asked, and Redis has decided " + decided).isLessThan(5000);
            HttpRequest check = check(servers.get(asked % servers.size()));
            String answer =
                    http.sendAsync(check, BodyHandlers.ofString()).join().body();
            if (!answer.contains("\"degraded\":true")) {
                decided++;
                admitted += answer.startsWith("{\"allowed\":true") ? 1 : 0;
            }
        }
        return admitted;
    }

    private void awaitRemaining(ServerProcess server, long expected) throws IOException, InterruptedException {
        long start = System.nanoTime();
        HttpRequest.Builder inspect =
                request(server, "/v1/inspect").POST(BodyPublishers.ofString("{\"policy\":\"all\"}"));
        while (!send(inspect).body().contains("\"remaining\":" + expected + ",")) {
            assertThat(System.nanoTime() - start)
                    .as("not " + expected + " remaining")
                    .isLessThan(LONG);
        }
    }

    @Test
    void twoReplicas_onOneRedis_shareLimitsAndPoliciesAndLoseNothing() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                ServerProcess one = ServerProcess.start(TOKEN, "--redis", redis.uri());
                ServerProcess two = ServerProcess.start(TOKEN, "--redis", redis.uri());
                MachineSpeed speed = new MachineSpeed()) {
            List<Duration> times = new ArrayList<>();
            for (int edition = 0; edition < 3; edition++) {
                String yaml = limit(100 + edition);
                put(edition % 2 == 0 ? one : two, yaml, edition);
                ServerProcess other = edition % 2 == 0 ? two : one;
                long start = System.nanoTime();
                while (!policies(other).equals(yaml)) {
                    assertThat(System.nanoTime() - start).as("not live there").isLessThan(LONG);
                    LockSupport.parkNanos(5_000_000);
                }
                times.add(Duration.ofNanos(System.nanoTime() - start));
            }
            assertThat(Collections.min(times))
                    .as("the fastest of three, scaled to the speed of this machine")
                    .isLessThan(speed.scale(Duration.ofSeconds(1)));

            assertThat(admitted(List.of(one, two), 80)).isEqualTo(80);
            awaitRemaining(two, 22);
            one.kill();
            assertThat(admitted(List.of(two), 80))
                    .as("together, exactly the limit")
                    .isEqualTo(22);
            assertThat(history(two)).contains("\"edition\":1,", "\"edition\":2,", "\"edition\":3,");
            try (ServerProcess again = ServerProcess.start(TOKEN, "--redis", redis.uri())) {
                assertThat(policies(again)).isEqualTo(limit(102));
                assertThat(admitted(List.of(again, two), 12)).isZero();
            }
        }
    }

    @Test
    void dataDir_afterKill9_hasThePoliciesAndTheirHistory(@TempDir Path folder) throws Exception {
        String[] options = {"--data-dir", folder.resolve("data").toString()};
        String before;
        try (ServerProcess server = ServerProcess.start(TOKEN, options)) {
            put(server, limit(7), 1);
            put(server, limit(8), 2);
            before = history(server);
            server.kill();
        }
        try (ServerProcess server = ServerProcess.start(TOKEN, options)) {
            assertThat(policies(server)).isEqualTo(limit(8));
            assertThat(history(server)).isEqualTo(before);
            put(server, limit(9), 3);
            HttpResponse<String> back = send(request(server, "/v1/policies/rollback")
                    .header("If-Match", tag(server))
                    .POST(BodyPublishers.ofString("{\"edition\":2}")));
            assertThat(back.statusCode()).as(back.body()).isEqualTo(200);
            assertThat(policies(server)).isEqualTo(limit(7));
        }
    }

    @Test
    void config_killedWhileItIsPut_isWhatItWasOrWhatItIs(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("policies.yaml"), limit(1));
        int last = 1;
        for (int round = 0; round < 3; round++) {
            try (ServerProcess server = ServerProcess.start(TOKEN, "--config", file.toString())) {
                assertThat(policies(server)).isEqualTo(Files.readString(file));
                List<CompletableFuture<HttpResponse<String>>> puts = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    puts.add(http.sendAsync(
                            request(server, "/v1/policies")
                                    .header("If-Match", "*")
                                    .PUT(BodyPublishers.ofString(limit(++last)))
                                    .build(),
                            BodyHandlers.ofString()));
                }
                CompletableFuture.anyOf(puts.toArray(CompletableFuture<?>[]::new))
                        .join();
                server.kill();
            }
            assertThat(Files.readString(file))
                    .matches("version: 1\npolicies:\n  - \\{ name: all, .* per 1d, on-store-failure: deny }\n");
        }
    }
}
