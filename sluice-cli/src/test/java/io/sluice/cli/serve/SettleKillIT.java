package io.sluice.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/*
 * Each call has a key of its own in one policy, so Redis says at the end what was charged for it. A client that never got the answer
 * to its reserve cannot know whether the estimate was charged; then both are right. A client that settles until it gets an answer
 * does know: a 409 after an attempt without an answer says that this attempt was executed.
 */
/** Clients of two server processes reserve and settle over HTTP, while one process after the other is killed, and clients die. */
class SettleKillIT {
    private static final int CLIENTS = 64;
    private static final int CALLS_OF_EACH = 12;

    /** Calls of each client of which it must know what they charged. */
    private static final int CERTAIN_OF_EACH = 7;

    private static final int KILLS = 4;
    private static final int TENANTS = 3;
    private static final long LIMIT = 1_000_000_000;
    private static final Pattern RESERVATION = Pattern.compile("\"reservation\":\"([^\"]+)\"");

    @TempDir
    Path directory;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final AtomicReferenceArray<ServerProcess> replicas = new AtomicReferenceArray<>(2);
    private final Semaphore done = new Semaphore(0);

    /**
     * What a client knows at the end.
     *
     * @param charged what may be charged; one value, unless there was no answer
     */
    private record Known(String tenant, String call, Set<Long> charged) {}

    @Test
    void charged_isWhatWasSettled_andTheEstimatesOfTheOthers() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (RedisProcess redis = RedisProcess.start()) {
            replicas.set(0, start(redis));
            replicas.set(1, start(redis));
            List<Future<List<Known>>> results = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                results.add(clients.submit(() -> client(client)));
            }
            for (int i = 0; i < KILLS; i++) {
                assertThat(done.tryAcquire(CLIENTS * CALLS_OF_EACH / (KILLS + 1), 2, TimeUnit.MINUTES))
                        .as("clients go on")
                        .isTrue();
                replicas.get(i % 2).kill();
                replicas.set(i % 2, start(redis));
            }
            List<Known> known = new ArrayList<>();
            for (Future<List<Known>> result : results) {
                known.addAll(result.get(2, TimeUnit.MINUTES));
            }
            assertCharged(known);
        } finally {
            clients.shutdownNow();
            replicas.get(0).close();
            replicas.get(1).close();
        }
    }

    private ServerProcess start(RedisProcess redis) throws IOException {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: total, limit: fixed-window 1000000000 per year, on-store-failure: deny }
                  - { name: per-tenant, key: [tenant], limit: 1000000000 per 365d refill interval, charge: always, on-store-failure: deny }
                  - { name: per-call, key: [call], limit: sliding-counter 1000000000 per 30d, on-store-failure: deny }
                """);
        ServerProcess server =
                ServerProcess.start(Map.of("SLUICE_REDIS", redis.uri()), "--config", policies.toString());
        server.port();
        return server;
    }

    private List<Known> client(int client) throws Exception {
        Random random = new Random(client);
        List<Known> known = new ArrayList<>();
        long certain = 0;
        // On a busy machine Redis is often late, and a call without its answer proves little. So more calls follow.
        for (int i = 0; i < CALLS_OF_EACH || certain < CERTAIN_OF_EACH; i++) {
            Known call = call("tenant-" + random.nextInt(TENANTS), client + "-" + i, random);
            known.add(call);
            certain += call.charged.size() == 1 ? 1 : 0;
            done.release();
        }
        return known;
    }

    private Known call(String tenant, String call, Random random) throws Exception {
        long estimate = 1L + random.nextInt(1000);
        String body = "{\"attributes\":{\"tenant\":\"" + tenant + "\",\"call\":\"" + call + "\"},\"permits\":"
                + estimate + ",\"ttl\":\"1h\"}";
        if (random.nextInt(12) == 0) {
            die("/v1/reserve", body, random);
            return new Known(tenant, call, Set.of(0L, estimate));
        }
        String answer;
        try {
            HttpResponse<String> response = reserve(body, random.nextInt(2));
            assertThat(response.statusCode()).isEqualTo(200);
            answer = response.body();
        } catch (IOException killed) {
            return new Known(tenant, call, Set.of(0L, estimate));
        }
        Matcher reservation = RESERVATION.matcher(answer);
        if (!reservation.find()) {
            assertThat(answer).startsWith("{\"allowed\":false,").contains("\"degraded\":true");
            return new Known(tenant, call, Set.of(0L, estimate));
        }
        LockSupport.parkNanos(random.nextInt(100_000_000));
        long actual = random.nextInt(2000);
        String settle = "{\"reservation\":\"" + reservation.group(1) + "\",\"permits\":" + actual + "}";
        int plan = random.nextInt(10);
        if (plan == 0) {
            return new Known(tenant, call, Set.of(estimate));
        } else if (plan == 1) {
            die("/v1/settle", settle, random);
            return new Known(tenant, call, actual == estimate ? Set.of(actual) : Set.of(estimate, actual));
        }
        settle(settle, random.nextInt(2));
        return new Known(tenant, call, Set.of(actual));
    }

    /** Reserves, and asks the next replica as long as one does not even accept the connection: then nothing was charged. */
    private HttpResponse<String> reserve(String body, int firstReplica) throws IOException, InterruptedException {
        for (int i = firstReplica; ; i++) {
            try {
                return post(i % 2, "/v1/reserve", body);
            } catch (ConnectException down) {
                // The other replica runs: only one is killed at a time.
            }
        }
    }

    /** Settles, and asks the next replica as long as there is no answer. Nobody else settles it. */
    private void settle(String body, int firstReplica) throws InterruptedException {
        boolean answered = true;
        for (int i = firstReplica; ; i++) {
            try {
                HttpResponse<String> response = post(i % 2, "/v1/settle", body);
                if (response.statusCode() == 200) {
                    return;
                } else if (response.statusCode() == 409) {
                    assertThat(answered).as("nobody else settles it").isFalse();
                    return;
                }
                assertThat(response.statusCode()).isEqualTo(503);
                answered = false;
            } catch (IOException killed) {
                answered = false;
            }
        }
    }

    /** Sends a request as a client that is killed before it reads the answer, perhaps before all of it is sent. */
    private void die(String path, String body, Random random) {
        ServerProcess replica = replicas.get(random.nextInt(2));
        byte[] request = ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length()
                        + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.UTF_8);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), replica.port())) {
            socket.getOutputStream().write(request, 0, request.length - random.nextInt(2));
            LockSupport.parkNanos(random.nextInt(2_000_000));
            socket.setSoLinger(true, 0);
        } catch (IOException killed) {
            // It was the replica that died.
        }
    }

    private HttpResponse<String> post(int replica, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(replicas.get(replica).uri(path))
                .timeout(Duration.ofSeconds(60))
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private void assertCharged(List<Known> known) throws Exception {
        long total = 0;
        Map<String, Long> byTenant = new HashMap<>();
        for (Known each : known) {
            // The replica gives back what a client reserved who has gone, when Redis answers.
            Eventually.await(each.toString(), () -> each.charged.contains(charged("per-call", each)));
            long charged = charged("per-call", each);
            total += charged;
            byTenant.merge(each.tenant, charged, Long::sum);
        }
        assertThat(byTenant).hasSize(TENANTS);
        Known any = known.get(0);
        assertThat(charged("total", any)).isEqualTo(total);
        byTenant.forEach((tenant, sum) -> assertThat(charged("per-tenant", new Known(tenant, any.call, Set.of())))
                .as(tenant)
                .isEqualTo(sum));
    }

    private long charged(String policy, Known call) {
        String attributes = "\"tenant\":\"" + call.tenant + "\",\"call\":\"" + call.call + "\"";
        String[] answer = {""};
        // On a busy machine Redis may be late.
        Eventually.await("Redis answers", () -> {
            answer[0] = Http.check(replicas.get(0), attributes, 0).body();
            return !answer[0].contains("degraded");
        });
        String body = answer[0];
        return LIMIT - Http.number(body.substring(body.indexOf("\"policy\":\"" + policy)), "remaining");
    }
}
