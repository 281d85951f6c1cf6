package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Windows of the calendar, warm-up and escalating lockouts through the service, on the memory store. */
class CalendarRouteTest {
    private static final String BEFORE = "version: 1\npolicies: []\n";
    private static final String POLICIES = """
            version: 1
            policies:
              - name: yearly
                match: { kind: quota }
                key: [tenant]
                limit: fixed-window 3 per year zone Asia/Kolkata
              - { name: cold, match: { kind: start }, key: [tenant], limit: warm-up 1 per 1h over 10h }
              - name: login
                match: { kind: login }
                key: [tenant]
                limit: 1 per 5m lockout 10m escalate 4
            """;

    private SluiceServer server;
    private AdminClient client;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("policies.yaml"), BEFORE);
        server = SluiceServer.start(AdminClient.config().policies(file).build());
        client = new AdminClient(server.port());
        HttpResponse<String> put = client.put(POLICIES, AdminClient.tag(BEFORE));
        assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String body(String kind, int permits) {
        return "{\"attributes\":{\"kind\":\"" + kind + "\",\"tenant\":\"a\"},\"permits\":" + permits + "}";
    }

    private HttpResponse<String> check(String kind, int permits) {
        HttpResponse<String> response = client.post("/v1/check", body(kind, permits));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response;
    }

    private static JsonObject result(HttpResponse<String> response) {
        return new JsonObject(response.body()).getJsonArray("results").getJsonObject(0);
    }

    /** What the policy that applies says of itself. */
    private JsonObject explained(String kind) {
        HttpResponse<String> response = client.post("/v1/explain", body(kind, 1));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        JsonArray policies = new JsonObject(response.body()).getJsonArray("policies");
        return policies.stream()
                .map(JsonObject.class::cast)
                .filter(policy -> policy.getBoolean("applies"))
                .findFirst()
                .orElseThrow();
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void calendar_isDeniedUntilTheYearEndsInItsZone() {
        assertThat(result(check("quota", 2)).getLong("remaining")).isEqualTo(1);
        HttpResponse<String> denied = check("quota", 2);

        JsonObject result = result(denied);
        assertThat(result.getString("limit")).isEqualTo("fixed-window 3 per year zone Asia/Kolkata");
        assertThat(result.getBoolean("allowed")).isFalse();
        JsonObject window = explained("quota").getJsonObject("window");
        OffsetDateTime begin = OffsetDateTime.parse(window.getString("begin"));
        OffsetDateTime end = OffsetDateTime.parse(window.getString("end"));
        assertThat(begin.getOffset()).isEqualTo(ZoneOffset.ofHoursMinutes(5, 30));
        assertThat(begin.getDayOfYear()).isEqualTo(1);
        assertThat(begin.toLocalTime()).isEqualTo(LocalTime.MIDNIGHT);
        assertThat(end).isEqualTo(begin.plusYears(1));
        Duration left = Duration.between(OffsetDateTime.now(ZoneId.of("UTC")), end);
        long retryAfter = result.getLong("retry_after_us");
        assertThat(Duration.ofNanos(retryAfter * 1000)).isBetween(left, left.plusMinutes(1));
        assertThat(result.getLong("reset_after_us")).isEqualTo(retryAfter);
        assertThat(header(denied, "Retry-After")).isEqualTo(String.valueOf((retryAfter + 999_999) / 1_000_000));
        assertThat(header(denied, "RateLimit-Policy")).startsWith("\"yearly\";q=3;w=");
        assertThat(header(denied, "RateLimit")).isEqualTo("\"yearly\";r=1;t=" + (retryAfter + 999_999) / 1_000_000);

        JsonArray buckets = new JsonObject(
                        client.post("/v1/inspect", "{\"policy\":\"yearly\",\"key\":{\"tenant\":\"a\"}}")
                                .body())
                .getJsonArray("buckets");
        assertThat(buckets.getJsonObject(0).getJsonObject("window")).isEqualTo(window);
    }

    @Test
    void warmUp_requestPaysForTheOneAfterIt() {
        HttpResponse<String> first = check("start", 1);
        assertThat(result(first).getBoolean("allowed")).isTrue();
        assertThat(result(first).getLong("remaining")).isZero();
        assertThat(header(first, "RateLimit-Policy")).startsWith("\"cold\";q=10;w=");

        HttpResponse<String> second = check("start", 1);
        // A cold permit costs (3 h + 2.6 h) / 2.
        assertThat(result(second).getBoolean("allowed")).isFalse();
        assertThat(Duration.ofNanos(result(second).getLong("retry_after_us") * 1000))
                .isBetween(
                        Duration.ofHours(2).plusMinutes(47), Duration.ofHours(2).plusMinutes(48));
        assertThat(header(second, "RateLimit")).startsWith("\"cold\";r=0;t=");
        assertThat(explained("start").getJsonObject("state").getBoolean("allowed"))
                .isFalse();
        assertThat(explained("start").containsKey("window")).isFalse();
        assertThat(new JsonObject(check("start", 11).body()).getLong("retry_after_us"))
                .as("never")
                .isEqualTo(-1);
    }

    @Test
    void escalatingLockout_locksAndStaysRemembered() {
        check("login", 1);
        HttpResponse<String> denied = check("login", 1);
        assertThat(result(denied).getString("limit")).isEqualTo("token-bucket 1 per 5m lockout 10m escalate 4");
        assertThat(result(denied).getLong("retry_after_us")).isEqualTo(600_000_000);
        assertThat(result(denied).getLong("reset_after_us"))
                .as("remembered for a day after the lockout")
                .isEqualTo(87_000_000_000L);
        assertThat(header(denied, "Retry-After")).isEqualTo("600");
        assertThat(header(denied, "RateLimit")).startsWith("\"login\";r=0;t=");
        assertThat(explained("login").getString("limit")).isEqualTo("token-bucket 1 per 5m lockout 10m escalate 4");
    }

    @Test
    void put_reserveOnAWarmUp_isRefused() {
        HttpResponse<String> put = client.put("""
                        version: 1
                        policies:
                          - name: cold
                            limit: warm-up 1 per 1h over 10h
                            reserve: { share: 20%, for: { priority: critical } }
                        """, AdminClient.tag(POLICIES));
        assertThat(put.statusCode()).isEqualTo(422);
        JsonObject problem = new JsonObject(put.body()).getJsonArray("problems").getJsonObject(0);
        assertThat(problem.getInteger("line")).isEqualTo(4);
        assertThat(problem.getString("message"))
                .isEqualTo("limit: \"warm-up 1 per 1h over 10h\" (expected: another algorithm, because the policy has a"
                        + " reserve and warm-up has no permits to keep)");
    }
}
