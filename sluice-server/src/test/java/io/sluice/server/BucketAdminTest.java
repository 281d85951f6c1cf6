package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Inspecting and resetting buckets, and the top keys. */
class BucketAdminTest {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: all, limit: sliding-log 100 per 1d }
              - name: per-tenant
                match: { path: "/api/**" }
                key: [tenant]
                limit: sliding-log 5 per 1d lockout 1d
                overrides:
                  - { name: big, match: { tenant: acme }, limit: sliding-log 9 per 1d }
                  - { match: { tenant: ops }, limit: unlimited }
              - { name: net, key: [ip/64, tenant], limit: sliding-log 7 per 1d }
              - { name: off, limit: 1/s, mode: off }
            """;

    private SluiceServer server;
    private AdminClient client;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("policies.yaml"), POLICIES);
        server = SluiceServer.start(AdminClient.config().policies(file).build());
        client = new AdminClient(server.port());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void check(String tenant, int permits) {
        client.post(
                "/v1/check",
                "{\"attributes\":{\"tenant\":\"" + tenant + "\",\"path\":\"/api/x\"},\"permits\":" + permits + "}");
    }

    private JsonArray inspect(String body) {
        HttpResponse<String> answer = client.post("/v1/inspect", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body()).getJsonArray("buckets");
    }

    private JsonArray reset(String body) {
        HttpResponse<String> answer = client.post("/v1/reset", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return new JsonObject(answer.body()).getJsonArray("reset");
    }

    private static List<String> field(JsonArray buckets, String field) {
        return buckets.stream()
                .map(bucket -> String.valueOf(((JsonObject) bucket).getValue(field)))
                .toList();
    }

    @Test
    void inspect_byAttributes_hasTheStateOfEveryPolicyThatApplies_andChargesNothing() {
        check("foo", 3);
        for (int i = 0; i < 2; i++) {
            JsonArray buckets = inspect("{\"attributes\":{\"tenant\":\"foo\",\"path\":\"/api/x\"}}");
            assertThat(field(buckets, "policy")).containsExactly("all", "per-tenant");
            assertThat(field(buckets, "remaining")).containsExactly("97", "2");
            assertThat(field(buckets, "key")).containsExactly("{}", "{\"tenant\":\"foo\"}");
            assertThat(field(buckets, "limit")).containsExactly("sliding-log 100/d", "sliding-log 5/d lockout 1d");
            assertThat(field(buckets, "retry_after_us")).containsExactly("0", "0");
            assertThat(buckets.getJsonObject(1).getLong("reset_after_us")).isBetween(1L, 86_400_000_000L);
        }
    }

    @Test
    void inspect_byKey_hasABucketForEachOverride() {
        check("acme", 4);
        JsonArray buckets = inspect("{\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"acme\"}}");
        assertThat(field(buckets, "override")).containsExactly("null", "big", "{\"tenant\": \"ops\"}");
        assertThat(field(buckets, "remaining")).containsExactly("5", "5", "0");
        assertThat(field(buckets, "limit")).last().isEqualTo("unlimited");
    }

    @Test
    void inspect_byANetworkInItsPrintedForm_findsTheBucket() {
        String attributes = "{\"attributes\":{\"ip\":\"2001:db8::1\",\"tenant\":\"a,b\"}";
        client.post("/v1/check", attributes + "}");
        JsonObject shown = inspect(attributes + "}").getJsonObject(1).getJsonObject("key");
        assertThat(shown.encode()).isEqualTo("{\"ip/64\":\"2001:db8::/64\",\"tenant\":\"a,b\"}");
        String query = new JsonObject().put("policy", "net").put("key", shown).encode();
        assertThat(field(inspect(query), "remaining")).containsExactly("6");
        String other = "{\"policy\":\"net\",\"key\":{\"ip\":\"2001:db8::7\",\"tenant\":\"a,b\"}}";
        assertThat(field(inspect(other), "remaining")).containsExactly("6");
    }

    @Test
    void reset_byKey_resetsUseAndLockoutOfThatBucketOnly() {
        check("foo", 5);
        check("foo", 1);
        check("bar", 2);
        String foo = "{\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"foo\"}}";
        assertThat(inspect(foo).getJsonObject(0).getLong("retry_after_us")).isPositive();
        try (CapturedAuditLog audit = new CapturedAuditLog()) {
            assertThat(field(reset(foo), "remaining")).startsWith("5");
            assertThat(audit.lines)
                    .containsExactly("who=127.0.0.1 what=\"reset policy per-tenant key {tenant=foo}\" result=ok");
        }
        assertThat(inspect(foo).getJsonObject(0).getLong("retry_after_us")).isZero();
        assertThat(field(inspect("{\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"bar\"}}"), "remaining"))
                .startsWith("3");
        assertThat(field(inspect("{\"policy\":\"all\"}"), "remaining")).containsExactly("93");
    }

    @Test
    void reset_byAttributes_resetsEveryBucketThatApplies() {
        check("foo", 5);
        JsonArray buckets = reset("{\"attributes\":{\"tenant\":\"foo\",\"path\":\"/api/x\"}}");
        assertThat(field(buckets, "policy")).containsExactly("all", "per-tenant");
        assertThat(field(buckets, "remaining")).containsExactly("100", "5");
    }

    @Test
    void reset_ofATextWithLineBreaks_isOneAuditLine() {
        try (CapturedAuditLog audit = new CapturedAuditLog()) {
            reset("{\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"x\\r\\nwho=root\\u2028\\u001b[2J\\\"\"}}");
            assertThat(audit.lines)
                    .containsExactly("who=127.0.0.1 what=\"reset policy per-tenant key "
                            + "{tenant=x\\u000d\\u000awho=root\\u2028\\u001b[2J\\\"}\" result=ok");
        }
    }

    @Test
    void query_thatIsInvalid_isRefusedWithWhatWasExpected() {
        for (String path : List.of("/v1/inspect", "/v1/reset")) {
            assertRefused(
                    path, "{\"policy\":\"nope\"}", 404, "policy: \"nope\" (expected: one of all, per-tenant, net)");
            assertRefused(path, "{\"policy\":\"off\"}", 404, "policy: \"off\" (expected: one of");
            assertRefused(path, "{\"policy\":\"per-tenant\"}", 400, "key: tenant is absent (expected: tenant)");
            assertRefused(
                    path,
                    "{\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"a\",\"x\":\"b\"}}",
                    400,
                    "key: \"x\" (expected: tenant)");
            assertRefused(path, "{\"policy\":\"all\",\"key\":{\"x\":\"b\"}}", 400, "key: \"x\" (expected: none");
            assertRefused(path, "{}", 400, "(expected: either attributes, or policy and key)");
            assertRefused(path, "{\"attributes\":{},\"policy\":\"all\"}", 400, "(expected: either");
            assertRefused(path, "{\"attributes\":{\"a\":5}}", 400, "attributes.a: 5 (expected: a text)");
            assertRefused(path, "{\"attributes\":[]}", 400, "attributes: [] (expected: an object of texts)");
            assertRefused(path, "{\"attributes\":null}", 400, "attributes: null (expected: an object of texts)");
            assertRefused(path, "{\"atributes\":{}}", 400, "\"atributes\": unknown field");
            assertRefused(path, "nonsense", 400, "body: not JSON, line 1, column ");
            assertRefused(path, "", 400, "body: not a JSON object");
            assertRefused(path, "{\"policy\":\"a\",\"policy\":\"b\"}", 400, "uplicate field 'policy'");
            assertRefused(path, "[".repeat(20_000), 400, "body: not JSON");
            assertRefused(path, "{\"attributes\":{\"a\":\"" + "x".repeat(4097) + "\"}}", 400, "attributes.a: too long");
        }
    }

    private void assertRefused(String path, String body, int status, String detail) {
        HttpResponse<String> answer = client.post(path, body);
        assertThat(answer.statusCode()).as(body).isEqualTo(status);
        assertThat(AdminClient.problem(answer)).contains(detail);
    }

    @Test
    void top_hasTheBusiestAndTheMostDeniedKeys() {
        for (int i = 0; i < 8; i++) {
            check("foo", 1);
        }
        check("bar", 1);
        String longest = "x".repeat(300);
        check(longest, 6);
        JsonObject top = client.json("/v1/top?n=2");
        assertThat(top.getJsonArray("busiest").getJsonObject(0).encode())
                .isEqualTo("{\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"foo\"},\"count\":8,\"error\":0}");
        assertThat(top.getJsonArray("busiest")).hasSize(2);
        assertThat(top.getJsonArray("denied").getJsonObject(0).encode())
                .isEqualTo("{\"policy\":\"per-tenant\",\"key\":{\"tenant\":\"foo\"},\"count\":3,\"error\":0}");
        JsonObject hidden = top.getJsonArray("denied").getJsonObject(1);
        assertThat(hidden.getValue("key")).isNull();
        assertThat(hidden.getString("digest")).startsWith("#");
        assertThat(client.json("/v1/top?policy=per-tenant").getJsonArray("busiest"))
                .hasSize(3);
        assertThat(client.json("/v1/top?policy=other").getJsonArray("busiest")).isEmpty();
        for (String n : List.of("0", "-1", "1001", "x", "")) {
            assertThat(client.get("/v1/top?n=" + n).statusCode()).as(n).isEqualTo(400);
        }
    }
}
