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

/** Two replicas on one Redis, administered through either. */
class RedisAdminIT {
    private static final String FILE = tag(Yaml.limit(5));

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
        file = Files.writeString(folder.resolve("policies.yaml"), Yaml.limit(5));
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
        HttpResponse<String> answer = client.put(Yaml.limit(7), FILE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(AdminClient.etag(answer)).isEqualTo(tag(Yaml.limit(7)));
        assertThat(new JsonObject(answer.body()).getLong("edition")).isEqualTo(1);
        assertThat(new JsonObject(answer.body()).getBoolean("durable")).isTrue();
        assertThat(text(client)).as("here at once").isEqualTo(Yaml.limit(7));
        assertThat(other.put(Yaml.limit(8), tag(Yaml.limit(7))).statusCode())
                .as("the other takes the edition that it may not have heard of")
                .isEqualTo(200);
        Eventually.await("live there", () -> text(client).equals(Yaml.limit(8)));
        assertThat(AdminClient.etag(client.get("/v1/policies"))).isEqualTo(tag(Yaml.limit(8)));
        assertThat(client.json("/v1/policies").getLong("edition")).isEqualTo(2);
        assertThat(file).as("the file is not touched").hasContent(Yaml.limit(5));
    }

    @Test
    void start_saysWhichEditionIsInForceAndWhichRedisCounts() {
        client.put(Yaml.limit(7), FILE);
        try (ServerLog log = new ServerLog();
                SluiceServer third = SluiceServer.start(
                        AdminClient.config().redis(redis.uri()).policies(file).build())) {
            assertThat(third.port()).isPositive();
            assertThat(log.lines())
                    .contains("policies: 1, from edition 1, published in Redis: all (sliding-log 7/d)")
                    .anyMatch(line -> line.startsWith("store: Redis at " + redis.uri() + ", keys begin with sluice"));
        }
    }

    @Test
    void file_beforeAnythingIsPut_isFollowed() throws IOException {
        Files.writeString(file, Yaml.limit(6));
        Eventually.await(
                "followed",
                () -> text(client).equals(Yaml.limit(6)) && text(other).equals(Yaml.limit(6)));
        assertThat(client.json("/v1/policies/history").encode())
                .isEqualTo(new JsonObject()
                        .put(
                                "editions",
                                new JsonArray()
                                        .add(new JsonObject()
                                                .put("edition", 0)
                                                .put("etag", tag(Yaml.limit(6)))
                                                .putNull("time")
                                                .put("current", true)))
                        .encode());
        assertThat(AdminClient.etag(client.get("/v1/policies"))).isEqualTo(tag(Yaml.limit(6)));
    }

    @Test
    void put_onBothAtOnce_exactlyOneIsTaken() {
        String last = FILE;
        for (int round = 1; round <= 5; round++) {
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                AdminClient either = i % 2 == 0 ? client : other;
                all.add(either.sendAsync(either.putting(Yaml.limit(10 * round + i), last)));
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
    void put_ofAnyOnBothAtOnce_allAreTaken() {
        List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            AdminClient either = i % 2 == 0 ? client : other;
            all.add(either.sendAsync(either.putting(Yaml.limit(10 + i), "*")));
        }
        assertThat(all).allMatch(each -> each.join().statusCode() == 200);
        assertThat(client.json("/v1/policies/history").getJsonArray("editions")).hasSize(12);
    }

    @Test
    void put_ofATextPutBackMeanwhile_isTakenByItsOldTag() {
        client.put(Yaml.limit(7), FILE);
        other.put(Yaml.limit(8), tag(Yaml.limit(7)));
        assertThat(other.put(Yaml.limit(9), tag(Yaml.limit(7))).statusCode()).isEqualTo(412);
        client.put(Yaml.limit(7), tag(Yaml.limit(8)));
        HttpResponse<String> answer = other.put(Yaml.limit(9), tag(Yaml.limit(7)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(new JsonObject(answer.body()).getLong("edition")).isEqualTo(4);
    }

    @Test
    void history_isTheSameEverywhereAndRollsBack() {
        client.put(Yaml.limit(7), FILE);
        client.put(Yaml.limit(8), tag(Yaml.limit(7)));
        Eventually.await("live there", () -> text(other).equals(Yaml.limit(8)));
        JsonArray editions = other.json("/v1/policies/history").getJsonArray("editions");
        assertThat(editions).hasSize(2);
        assertThat(editions.getJsonObject(0).getBoolean("current")).isTrue();
        assertThat(editions.getJsonObject(1).getInstant("time")).isNotNull();
        HttpResponse<String> answer = other.rollback(1, tag(Yaml.limit(8)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(AdminClient.etag(answer)).isEqualTo(tag(Yaml.limit(7)));
        assertThat(new JsonObject(answer.body()).getLong("edition")).isEqualTo(3);
        Eventually.await("live here", () -> text(client).equals(Yaml.limit(7)));
    }

    @Test
    void dryRun_ofAnEditionThatIsNotHeardOfHere_matches() {
        client.put(Yaml.limit(7), FILE);
        HttpResponse<String> answer = other.send(other.request("/v1/policies?dry-run=true")
                .header("If-Match", tag(Yaml.limit(7)))
                .PUT(BodyPublishers.ofString(Yaml.limit(7))));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void buckets_areThoseOfBoth() {
        Eventually.await(
                "charged",
                () -> client.post("/v1/check", "{\"attributes\":{},\"permits\":2}")
                        .body()
                        .startsWith("{\"allowed\":true"));
        assertEventually(other, "/v1/inspect", "{\"policy\":\"all\"}", "\"remaining\":3");
        assertEventually(other, "/v1/reset", "{\"policy\":\"all\"}", "\"remaining\":5");
        assertEventually(client, "/v1/inspect", "{\"attributes\":{}}", "\"remaining\":5");
    }

    /** For a machine that may be too busy to ask Redis in time. */
    private static void assertEventually(AdminClient client, String path, String body, String expected) {
        Eventually.await(path, () -> client.post(path, body).body().contains(expected));
    }

    @Test
    void redisAway_changesAre503AndWhatIsInForceIsStillTold() {
        redis.kill();
        HttpResponse<String> answer = client.put(Yaml.limit(7), FILE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(AdminClient.problem(answer)).startsWith("no answer from the store");
        assertThat(client.post("/v1/reset", "{\"policy\":\"all\"}").statusCode())
                .isEqualTo(503);
        assertThat(client.get("/v1/policies/history").statusCode()).isEqualTo(503);
        assertThat(text(client)).isEqualTo(Yaml.limit(5));
        assertThat(client.post("/v1/inspect", "{\"policy\":\"all\"}").body()).contains("\"degraded\":true");
    }
}
