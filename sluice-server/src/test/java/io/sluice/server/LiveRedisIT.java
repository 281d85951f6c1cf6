package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The live view of two replicas on one Redis. */
class LiveRedisIT {
    private static long sum(JsonArray ticks) {
        return ticks.stream()
                .map(JsonObject.class::cast)
                .mapToLong(tick -> tick.getJsonArray("total").getLong(0)
                        + tick.getJsonArray("total").getLong(1))
                .sum();
    }

    private static JsonObject live(AdminClient client, String scope) {
        return client.json("/v1/live?scope=" + scope);
    }

    @Test
    void twoReplicas_showOneSum_alsoAfterOneIsGone() throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                SluiceServer one = SluiceServer.start(
                        AdminClient.config().redis(redis.uri()).build())) {
            AdminClient here = new AdminClient(one.port());
            String check = "{\"attributes\":{\"tenant\":\"a\"}}";
            try (SluiceServer two =
                    SluiceServer.start(AdminClient.config().redis(redis.uri()).build())) {
                AdminClient there = new AdminClient(two.port());
                for (int i = 0; i < 5; i++) {
                    here.post("/v1/check", check);
                    there.post("/v1/check", check);
                }
                Eventually.await("the sum of both", () -> sum(live(here, "all").getJsonArray("ticks")) == 10);
                JsonObject all = live(there, "all");
                assertThat(sum(all.getJsonArray("ticks"))).isEqualTo(10);
                assertThat(sum(live(there, "replica").getJsonArray("ticks"))).isEqualTo(5);
                assertThat(all.getJsonObject("state").getJsonArray("replicas")).hasSize(2);
                assertThat(all.getJsonObject("state").getJsonObject("store").encode())
                        .isEqualTo("{\"kind\":\"redis\",\"ok\":true}");
            }
            assertThat(sum(live(here, "all").getJsonArray("ticks"))).isEqualTo(10);
            HttpResponse<Stream<String>> stream = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(here.request("/v1/live/stream").build(), BodyHandlers.ofLines());
            String data = stream.body()
                    .filter(line -> line.startsWith("data: "))
                    .findFirst()
                    .orElseThrow();
            assertThat(new JsonObject(data.substring(6)).getJsonArray("ticks")).isNotEmpty();
        }
    }
}
