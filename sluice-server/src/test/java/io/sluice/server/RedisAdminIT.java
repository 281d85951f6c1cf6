package io.sluice.server;

import static io.sluice.server.AdminClient.tag;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin API of two replicas on one Redis. */
class RedisAdminIT {
    private static final String FILE = tag(TestPolicies.limit(5));

    @TempDir
    private Path folder;

    private Path file;
    private RedisProcess redis;
    private SluiceServer one;
    private SluiceServer two;
    private AdminClient client;
    private AdminClient other;

    @BeforeEach
    void start() throws IOException {
        file = Files.writeString(folder.resolve("policies.yaml"), TestPolicies.limit(5));
        redis = RedisProcess.start();
        one = SluiceServer.start(
                AdminClient.config().redis(redis.uri()).policies(file).build());
        two = SluiceServer.start(
                AdminClient.config().redis(redis.uri()).policies(file).build());
        client = new AdminClient(one.port());
        other = new AdminClient(two.port());
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
        redis.close();
    }

    private static String text(AdminClient client) {
        return client.get("/v1/policies").body();
    }

    @Test
    void put_onOne_isLiveOnTheOther() {
        assertThat(AdminClient.etag(client.get("/v1/policies"))).isEqualTo(FILE);
        HttpResponse<String> answer = client.put(TestPolicies.limit(7), FILE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(AdminClient.etag(answer)).isEqualTo(tag(TestPolicies.limit(7)));
        assertThat(new JsonObject(answer.body()).getLong("edition")).isEqualTo(1);
        assertThat(new JsonObject(answer.body()).getBoolean("durable")).isTrue();
        assertThat(text(client)).as("here at once").isEqualTo(TestPolicies.limit(7));
        assertThat(other.put(TestPolicies.limit(8), tag(TestPolicies.limit(7))).statusCode())
                .as("the other takes the edition that it may not have heard of")
                .isEqualTo(200);
        Eventually.await("live there", () -> text(client).equals(TestPolicies.limit(8)));
        assertThat(AdminClient.etag(client.get("/v1/policies"))).isEqualTo(tag(TestPolicies.limit(8)));
        assertThat(client.json("/v1/policies").getLong("edition")).isEqualTo(2);
        assertThat(file).as("the file is not touched").hasContent(TestPolicies.limit(5));
    }

    @Test
    void start_logsTheEditionInForceAndTheRedisServer() {
        client.put(TestPolicies.limit(7), FILE);
        try (CapturedServerLog log = new CapturedServerLog();
                SluiceServer third = SluiceServer.start(
                        AdminClient.config().redis(redis.uri()).policies(file).build())) {
            assertThat(third.port()).isPositive();
            assertThat(log.lines())
                    .contains("policies: 1, from edition 1, published in Redis: all (sliding-log 7/d)")
                    .anyMatch(line -> line.startsWith("store: Redis at " + redis.uri() + ", keys begin with sluice"));
        }
    }

    @Test
    void file_beforeTheFirstPut_isFollowed() throws IOException {
        WatchedFile.replace(file, TestPolicies.limit(6));
        Eventually.await(
                "followed",
                () -> text(client).equals(TestPolicies.limit(6)) && text(other).equals(TestPolicies.limit(6)));
        assertThat(client.json("/v1/policies/history").encode())
                .isEqualTo(new JsonObject()
                        .put(
                                "editions",
                                new JsonArray()
                                        .add(new JsonObject()
                                                .put("edition", 0)
                                                .put("etag", tag(TestPolicies.limit(6)))
                                                .putNull("time")
                                                .putNull("by")
                                                .put("current", true)))
                        .encode());
        assertThat(AdminClient.etag(client.get("/v1/policies"))).isEqualTo(tag(TestPolicies.limit(6)));
    }

    @Test
    void put_onBothReplicasWithOneTag_exactlyOneIsAccepted() {
        String last = FILE;
        for (int round = 1; round <= 5; round++) {
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                AdminClient either = i % 2 == 0 ? client : other;
                all.add(either.sendAsync(either.putting(TestPolicies.limit(10 * round + i), last)));
            }
            List<HttpResponse<String>> answers =
                    all.stream().map(CompletableFuture::join).toList();
            assertThat(answers.stream().map(HttpResponse::statusCode).sorted()).containsExactly(200, 412, 412, 412);
            last = answers.stream()
                    .filter(each -> each.statusCode() == 200)
                    .map(AdminClient::etag)
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void put_withAStarOnBothReplicas_allAreAccepted() {
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            AdminClient either = i % 2 == 0 ? client : other;
            all.add(either.sendAsync(either.putting(TestPolicies.limit(10 + i), "*")));
        }
        assertThat(all).allMatch(each -> each.join().statusCode() == 200);
        assertThat(client.json("/v1/policies/history").getJsonArray("editions")).hasSize(12);
    }

    @Test
    void put_withTheTagOfATextThatIsInForceAgain_isAccepted() {
        client.put(TestPolicies.limit(7), FILE);
        other.put(TestPolicies.limit(8), tag(TestPolicies.limit(7)));
        assertThat(other.put(TestPolicies.limit(9), tag(TestPolicies.limit(7))).statusCode())
                .isEqualTo(412);
        client.put(TestPolicies.limit(7), tag(TestPolicies.limit(8)));
        HttpResponse<String> answer = other.put(TestPolicies.limit(9), tag(TestPolicies.limit(7)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(new JsonObject(answer.body()).getLong("edition")).isEqualTo(4);
    }

    @Test
    void history_isTheSameEverywhereAndRollsBack() {
        client.put(TestPolicies.limit(7), FILE);
        client.put(TestPolicies.limit(8), tag(TestPolicies.limit(7)));
        Eventually.await("live there", () -> text(other).equals(TestPolicies.limit(8)));
        JsonArray editions = other.json("/v1/policies/history").getJsonArray("editions");
        assertThat(editions).hasSize(2);
        assertThat(editions.getJsonObject(0).getBoolean("current")).isTrue();
        assertThat(editions.getJsonObject(1).getInstant("time")).isNotNull();
        HttpResponse<String> answer = other.rollback(1, tag(TestPolicies.limit(8)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(AdminClient.etag(answer)).isEqualTo(tag(TestPolicies.limit(7)));
        assertThat(new JsonObject(answer.body()).getLong("edition")).isEqualTo(3);
        Eventually.await("live here", () -> text(client).equals(TestPolicies.limit(7)));
    }

    @Test
    void dryRun_withTheTagOfAnEditionThatIsNotInForceHere_matches() {
        client.put(TestPolicies.limit(7), FILE);
        HttpResponse<String> answer = other.send(other.request("/v1/policies?dry-run=true")
                .header("If-Match", tag(TestPolicies.limit(7)))
                .PUT(BodyPublishers.ofString(TestPolicies.limit(7))));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void buckets_areSharedByBothReplicas() {
        Eventually.await(
                "charged",
                () -> client.post("/v1/check", "{\"attributes\":{},\"permits\":2}")
                        .body()
                        .startsWith("{\"allowed\":true"));
        assertEventually(other, "/v1/inspect", "{\"policy\":\"all\"}", "\"remaining\":3");
        assertEventually(other, "/v1/reset", "{\"policy\":\"all\"}", "\"remaining\":5");
        assertEventually(client, "/v1/inspect", "{\"attributes\":{}}", "\"remaining\":5");
    }

    /** For a machine that may be too busy to reach Redis in time. */
    private static void assertEventually(AdminClient client, String path, String body, String expected) {
        Eventually.await(path, () -> client.post(path, body).body().contains(expected));
    }

    @Test
    void redisAway_changesAre503_andReadsStillWork() {
        redis.kill();
        HttpResponse<String> answer = client.put(TestPolicies.limit(7), FILE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(AdminClient.problem(answer)).startsWith("no answer from the store");
        assertThat(client.post("/v1/reset", "{\"policy\":\"all\"}").statusCode())
                .isEqualTo(503);
        assertThat(client.get("/v1/policies/history").statusCode()).isEqualTo(503);
        assertThat(text(client)).isEqualTo(TestPolicies.limit(5));
        assertThat(client.post("/v1/inspect", "{\"policy\":\"all\"}").body()).contains("\"degraded\":true");
    }
}
