package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code /v1/overrides}, {@code /v1/pause}, {@code /v1/key} and {@code /v1/policies:preview}. */
class OverrideAdminTest {
    private static final String YAML = """
            version: 1
            policies:
              - { name: per-tenant, key: [tenant], limit: fixed-window 3 per 1h from-first }
            """;
    private static final String ACME = "{\"attributes\":{\"tenant\":\"acme\"}}";
    private static final String KEY = "\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"acme\"}";

    @TempDir
    private Path directory;

    private Path policies;

    @BeforeEach
    void write() throws Exception {
        policies = Files.writeString(directory.resolve("policies.yaml"), YAML);
    }

    private SluiceServer start() {
        return SluiceServer.start(AdminClient.config()
                .policies(policies)
                .dataDir(directory.resolve("data"))
                .build());
    }

    private static HttpResponse<String> put(AdminClient client, String body) {
        return client.send(client.request("/v1/overrides").PUT(BodyPublishers.ofString(body)));
    }

    private static int admitted(AdminClient client, int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += new JsonObject(client.post("/v1/check", ACME).body()).getBoolean("allowed") ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void override_isPutListedSurvivesARestartAndIsDeleted() throws Exception {
        String id;
        try (SluiceServer server = start();
                CapturedAuditLog audit = new CapturedAuditLog()) {
            AdminClient client = new AdminClient(server.port());
            assertThat(admitted(client, 2)).isEqualTo(2);
            HttpResponse<String> put = put(
                    client,
                    "{" + KEY
                            + ",\"limit\":\"fixed-window 10 per 1h from-first\",\"ttl\":\"30m\",\"reason\":\"launch\"}");
            assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
            id = new JsonObject(put.body()).getString("id");
            assertThat(admitted(client, 4)).isEqualTo(4);
            assertThat(audit.lines).anyMatch(line -> line.contains("put override of policy per-tenant"));
        }
        try (SluiceServer server = start();
                CapturedAuditLog audit = new CapturedAuditLog()) {
            AdminClient client = new AdminClient(server.port());
            JsonArray listed = client.json("/v1/overrides").getJsonArray("overrides");
            assertThat(listed).hasSize(1);
            assertThat(listed.getJsonObject(0).getString("id")).isEqualTo(id);
            assertThat(listed.getJsonObject(0).getString("reason")).isEqualTo("launch");
            assertThat(client.json("/v1/overrides").getBoolean("durable")).isTrue();
            assertThat(admitted(client, 100))
                    .as("10, less the 6 before the restart")
                    .isEqualTo(4);

            HttpResponse<String> deleted =
                    client.send(client.request("/v1/overrides?id=" + id).DELETE());
            assertThat(deleted.statusCode()).isEqualTo(200);
            assertThat(client.json("/v1/overrides").getJsonArray("overrides")).isEmpty();
            assertThat(admitted(client, 10))
                    .as("the limit of the policy is used up")
                    .isZero();
            assertThat(client.send(client.request("/v1/overrides?id=" + id).DELETE())
                            .statusCode())
                    .isEqualTo(404);
            assertThat(audit.lines).anyMatch(line -> line.contains("delete override " + id));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"policy":"none","key":{},"limit":"1/s","ttl":"1m"}                          | 404 | expected: one of per-tenant
            {"policy":"per-tenant","key":{"user":"x"},"limit":"1/s","ttl":"1m"}          | 400 | tenant is absent
            {"policy":"per-tenant","key":{"tenant":"x"},"limit":"1 per","ttl":"1m"}      | 400 | limit:
            {"policy":"per-tenant","key":{"tenant":"x"},"limit":"1/s","ttl":"0s"}        | 400 | ttl: 0s (expected: 1s to 31d
            {"policy":"per-tenant","key":{"tenant":"x"},"limit":"1/s","ttl":"32d"}       | 400 | expected: 1s to 31d
            {"policy":"per-tenant","key":{"tenant":"x"},"limit":"1/s"}                   | 400 | either ttl
            {"policy":"per-tenant","key":{"tenant":"x"},"limit":"1/s","expires":"2020-01-01T00:00:00Z"} | 400 | from 1s to 31d from now
            {"policy":"per-tenant","key":{"tenant":"x"},"limit":"1/s","ttl":"1m","x":1}  | 400 | unknown field
            {"policy":"per-tenant","key":{"tenant":"\\ud800"},"limit":"1/s","ttl":"1m"}   | 400 | half of a surrogate pair
            {"policy":"per-tenant","key":{"tenant":"x"},"limit":"1/s","ttl":"1m","reason":"\\udc00"} | 400 | reason: "\\udc00" (expected: Unicode
            []                                                                           | 400 | a JSON object
            """)
    void badOverride_isRefusedWithWhatWasExpected(String body, int status, String detail) {
        try (SluiceServer server = start()) {
            AdminClient client = new AdminClient(server.port());
            HttpResponse<String> response = put(client, body);
            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(AdminClient.problem(response)).contains(detail);
            assertThat(client.json("/v1/overrides").getJsonArray("overrides")).isEmpty();
        }
    }

    @Test
    void key_showsStateOverrideAndHistory_andCanBePaused() {
        try (SluiceServer server = start()) {
            AdminClient client = new AdminClient(server.port());
            admitted(client, 4);
            JsonObject key =
                    new JsonObject(client.post("/v1/key", "{" + KEY + "}").body());
            assertThat(key.getJsonArray("buckets").getJsonObject(0).getInteger("remaining"))
                    .isZero();
            assertThat(key.getValue("temporary")).isNull();
            JsonObject history = key.getJsonObject("history");
            assertThat(history.getInteger("seen")).isEqualTo(4);
            assertThat(history.getJsonArray("requests").getJsonObject(0).getBoolean("allowed"))
                    .isFalse();
            assertThat(history.getJsonArray("requests").getJsonObject(3).getBoolean("allowed"))
                    .isTrue();

            client.post("/v1/reset", "{" + KEY + "}");
            HttpResponse<String> paused = client.post("/v1/pause", "{" + KEY + ",\"for\":\"1h\"}");
            assertThat(paused.statusCode()).as(paused.body()).isEqualTo(200);
            assertThat(admitted(client, 2)).isZero();
            client.post("/v1/reset", "{" + KEY + "}");
            assertThat(admitted(client, 2)).isEqualTo(2);

            put(client, "{" + KEY + ",\"limit\":\"blocked\",\"ttl\":\"30m\"}");
            assertThat(admitted(client, 2)).isZero();
            JsonObject blocked =
                    new JsonObject(client.post("/v1/key", "{" + KEY + "}").body());
            assertThat(blocked.getJsonObject("temporary").getString("limit")).isEqualTo("blocked");
            assertThat(blocked.getJsonArray("buckets")
                            .getJsonObject(0)
                            .getJsonObject("temporary")
                            .getString("instead_of"))
                    .isEqualTo("fixed-window 3/h from-first");
        }
    }

    @Test
    void key_namesTheOverrideThatHolds() throws Exception {
        Files.writeString(policies, YAML.replace("from-first }", """
                from-first, overrides: [
                      { name: gold, match: { tenant: acme, method: POST }, limit: 9/h },
                      { match: { tenant: ops }, limit: unlimited }] }"""));
        try (SluiceServer server = start()) {
            AdminClient client = new AdminClient(server.port());
            String ops = client.post("/v1/key", "{\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"ops\"}}")
                    .body();
            assertThat(new JsonObject(ops).getString("override")).isEqualTo("{\"tenant\": \"ops\"}");
            assertThat(overrideOfAcme(client)).isNull();

            // The key alone does not say whether "gold" holds: the latest request does.
            client.post("/v1/check", "{\"attributes\":{\"tenant\":\"acme\",\"method\":\"POST\"}}");
            assertThat(overrideOfAcme(client)).isEqualTo("gold");
            client.post("/v1/check", ACME);
            assertThat(overrideOfAcme(client)).isNull();
        }
    }

    private static String overrideOfAcme(AdminClient client) {
        return new JsonObject(client.post("/v1/key", "{" + KEY + "}").body()).getString("override");
    }

    @Test
    void preview_saysWhatWouldHaveBeenDecided_andChangesNothing() {
        try (SluiceServer server = start()) {
            AdminClient client = new AdminClient(server.port());
            admitted(client, 5);
            String looser = YAML.replace("fixed-window 3", "fixed-window 4");
            JsonObject preview = new JsonObject(
                    client.post("/v1/policies:preview?replay=true", looser).body());
            assertThat(preview.getBoolean("valid")).isTrue();
            assertThat(preview.getJsonObject("diff").getJsonArray("changed")).hasSize(1);
            JsonObject replay = preview.getJsonObject("replay");
            assertThat(replay.getInteger("replayed")).isEqualTo(5);
            assertThat(replay.getInteger("newly_allowed")).isEqualTo(1);
            assertThat(replay.getInteger("newly_denied")).isZero();
            assertThat(replay.getJsonArray("examples")).hasSize(1);
            assertThat(admitted(client, 1)).as("still 3").isZero();

            JsonObject bad = new JsonObject(client.post("/v1/policies:preview", YAML.replace("limit", "limits"))
                    .body());
            assertThat(bad.getBoolean("valid")).isFalse();
            assertThat(bad.getJsonArray("problems").getJsonObject(0).getInteger("line"))
                    .isEqualTo(3);
            assertThat(List.of("diff", "replay")).allMatch(field -> bad.getValue(field) == null);
        }
    }
}
