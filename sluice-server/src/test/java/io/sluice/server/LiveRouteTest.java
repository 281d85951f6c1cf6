package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code /v1/live} and its stream. */
class LiveRouteTest {
    @TempDir
    private Path directory;

    private static final HttpClient HTTP_1 =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static JsonObject nextTick(Iterator<String> lines) {
        String line = lines.next();
        while (!line.startsWith("data: ")) {
            line = lines.next();
        }
        return new JsonObject(line.substring("data: ".length()));
    }

    private static long[] sums(JsonArray ticks) {
        long[] sums = new long[2];
        for (Object tick : ticks) {
            JsonObject policies = ((JsonObject) tick).getJsonObject("policies");
            JsonArray counts = policies.getJsonArray("per-tenant", JsonArray.of(0, 0, 0, 0));
            sums[0] += counts.getLong(0);
            sums[1] += counts.getLong(1);
        }
        return sums;
    }

    @Test
    void live_countsWhatWasDecided_andEveryViewerGetsTheSameTicks() throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: per-tenant, key: [tenant], limit: fixed-window 1 per 1h from-first }
                  - { name: all, limit: unlimited }
                """);
        try (SluiceServer server =
                SluiceServer.start(AdminClient.config().policies(policies).build())) {
            AdminClient client = new AdminClient(server.port());
            List<Stream<String>> viewers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                HttpResponse<Stream<String>> stream = HTTP_1.send(
                        client.request("/v1/live/stream?scope=" + (i % 2 == 0 ? "all" : "replica"))
                                .build(),
                        BodyHandlers.ofLines());
                assertThat(stream.statusCode()).isEqualTo(200);
                viewers.add(stream.body());
            }
            for (int i = 0; i < 3; i++) {
                client.post("/v1/check", "{\"attributes\":{\"tenant\":\"a\"}}");
            }
            Eventually.await(
                    "all are counted", () -> sums(client.json("/v1/live").getJsonArray("ticks"))[1] == 2);
            JsonObject live = client.json("/v1/live");
            assertThat(sums(live.getJsonArray("ticks"))).containsExactly(1, 2);
            assertThat(live.getJsonObject("state").getJsonArray("policies")).containsExactly("per-tenant", "all");
            assertThat(live.getJsonObject("state").getJsonArray("replicas")).hasSize(1);
            for (Stream<String> viewer : viewers) {
                Iterator<String> lines = viewer.iterator();
                long seen = 0;
                while (seen == 0) {
                    JsonObject event = nextTick(lines);
                    assertThat(event.getJsonObject("state").fieldNames()).doesNotContain("policies");
                    long[] sums = sums(event.getJsonArray("ticks"));
                    seen = sums[0] + sums[1];
                }
                assertThat(seen).isLessThanOrEqualTo(3);
            }
            viewers.forEach(Stream::close);
        }
    }

    @Test
    void stream_whenTheServerStops_ends() throws Exception {
        SluiceServer server = SluiceServer.start(AdminClient.config().build());
        try (Stream<String> stream = HTTP_1.send(
                        new AdminClient(server.port())
                                .request("/v1/live/stream")
                                .build(),
                        BodyHandlers.ofLines())
                .body()) {
            Iterator<String> lines = stream.iterator();
            assertThat(lines.next()).startsWith("retry:");
            server.close();
            // Fails unless the stream ends cleanly.
            lines.forEachRemaining(line -> assertThat(line).isNotNull());
        } finally {
            server.close();
        }
    }
}
