package io.sluice.server;

import static io.sluice.server.AdminClient.tag;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reading and replacing policies over HTTP, on a server that keeps them only in memory. */
class PolicyAdminTest {
    private static final String SAMPLE = tag(SamplePolicies.load().text());

    private SluiceServer server;
    private AdminClient client;
    private CapturedAuditLog audit;

    @BeforeEach
    void start() {
        server = SluiceServer.start(AdminClient.config().build());
        client = new AdminClient(server.port());
        audit = new CapturedAuditLog();
    }

    @AfterEach
    void stop() {
        audit.close();
        server.close();
    }

    private long remaining() {
        return new JsonObject(client.post("/v1/inspect", "{\"attributes\":{}}").body())
                .getJsonArray("buckets")
                .getJsonObject(0)
                .getLong("remaining");
    }

    @Test
    void get_isTheTextInForceWithItsDigestAndEdition() {
        HttpResponse<String> answer = client.get("/v1/policies");
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/yaml");
        assertThat(AdminClient.etag(answer)).isEqualTo(SAMPLE).matches("\"[0-9a-f]{32}\"");
        assertThat(answer.body())
                .startsWith("# The built-in sample policies")
                .isEqualTo(SamplePolicies.load().text());
        JsonObject json = client.json("/v1/policies");
        assertThat(json.getString("yaml")).isEqualTo(answer.body());
        assertThat(json.getLong("edition")).isEqualTo(1);
        assertThat(json.getBoolean("durable")).isFalse();
        assertThat(json.getJsonArray("warnings")).isEmpty();
    }

    @Test
    void put_isInForceAtOnceAndIsTheNextEdition() {
        String yaml = "# é, as it was put\n" + TestPolicies.limit(7);
        HttpResponse<String> answer = client.put(yaml, SAMPLE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(AdminClient.etag(answer)).isEqualTo(tag(yaml));
        assertThat(new JsonObject(answer.body()).getLong("edition")).isEqualTo(2);
        assertThat(new JsonObject(answer.body()).getBoolean("durable")).isFalse();
        assertThat(remaining()).isEqualTo(7);
        assertThat(client.get("/v1/policies").body()).isEqualTo(yaml);
        assertThat(audit.lines).containsExactly("who=127.0.0.1 what=\"put policies\" edition=1->2 result=ok");
    }

    @Test
    void put_throughATrustedProxy_namesItsClient() {
        HttpResponse<String> answer = client.send(client.request("/v1/policies")
                .header("If-Match", SAMPLE)
                .header("X-Forwarded-For", "198.51.100.1, 203.0.113.9")
                .PUT(BodyPublishers.ofString(TestPolicies.limit(7))));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(audit.lines)
                .containsExactly("who=203.0.113.9 via=127.0.0.1 what=\"put policies\" edition=1->2 result=ok");
        assertThat(client.json("/v1/policies/history")
                        .getJsonArray("editions")
                        .getJsonObject(0)
                        .getString("by"))
                .isEqualTo("203.0.113.9");
    }

    @Test
    void put_withWarnings_returnsThem() {
        String yaml = """
                version: 1
                policies:
                  - { name: a, limit: 5/s, overrides: [{ match: { t: x }, limit: 5/s }, { match: { t: x }, limit: 6/s }] }
                """;
        JsonArray warnings = new JsonObject(client.put(yaml, SAMPLE).body()).getJsonArray("warnings");
        assertThat(warnings).isNotEmpty();
        assertThat(warnings.getJsonObject(0).getInteger("line")).isEqualTo(3);
        assertThat(warnings.getJsonObject(0).getString("severity")).isEqualTo("warning");
        assertThat(client.json("/v1/policies").getJsonArray("warnings")).isEqualTo(warnings);
    }

    @Test
    void put_withoutIfMatch_is428() {
        HttpResponse<String> answer =
                client.send(client.request("/v1/policies").PUT(BodyPublishers.ofString(TestPolicies.limit(7))));
        assertThat(answer.statusCode()).isEqualTo(428);
        assertThat(AdminClient.problem(answer)).contains("(expected: the ETag of GET /v1/policies");
        assertThat(client.json("/v1/policies").getLong("edition")).isEqualTo(1);
    }

    @Test
    void put_withAnInvalidIfMatch_is400() {
        for (String header : List.of("1", "w/" + SAMPLE, SAMPLE + ", *", "\"open", SAMPLE + " " + SAMPLE)) {
            HttpResponse<String> answer = client.put(TestPolicies.limit(7), header);
            assertThat(answer.statusCode()).as(header).isEqualTo(400);
            assertThat(AdminClient.problem(answer)).startsWith("If-Match: " + header + " (expected: ");
        }
        assertThat(client.json("/v1/policies").getLong("edition")).isEqualTo(1);
    }

    @Test
    void put_withAnotherTag_is412() {
        for (String header : List.of("\"1\"", "W/" + SAMPLE, "\"one\"", "\"1\", \"2\"", "")) {
            HttpResponse<String> answer = client.put(TestPolicies.limit(7), header);
            assertThat(answer.statusCode()).as(header).isEqualTo(412);
            assertThat(AdminClient.etag(answer)).isEqualTo(SAMPLE);
        }
        assertThat(client.json("/v1/policies").getLong("edition")).isEqualTo(1);
    }

    @Test
    void put_whenIfMatchListsTheTagInForce_isAccepted() {
        assertThat(client.put(TestPolicies.limit(7), "\"a,b\", W/\"c\",, " + SAMPLE)
                        .statusCode())
                .isEqualTo(200);
        HttpResponse<String> answer = client.send(client.putting(TestPolicies.limit(8), "\"other\"")
                .header("If-Match", "W/\"d\" , " + tag(TestPolicies.limit(7))));
        assertThat(answer.statusCode()).as("several headers are one list").isEqualTo(200);
    }

    @Test
    void put_ofAnOldText_hasItsOldTag() {
        client.put(TestPolicies.limit(7), SAMPLE);
        client.put(TestPolicies.limit(8), tag(TestPolicies.limit(7)));
        HttpResponse<String> back = client.put(TestPolicies.limit(7), tag(TestPolicies.limit(8)));
        assertThat(AdminClient.etag(back)).isEqualTo(tag(TestPolicies.limit(7)));
        assertThat(new JsonObject(back.body()).getLong("edition")).isEqualTo(4);
        assertThat(client.put(TestPolicies.limit(9), tag(TestPolicies.limit(7))).statusCode())
                .isEqualTo(200);
    }

    @Test
    void get_whenTheClientHasTheText_is304() {
        for (String header : List.of(SAMPLE, "W/" + SAMPLE, "\"other\", " + SAMPLE, "*")) {
            HttpResponse<String> answer =
                    client.send(client.request("/v1/policies").header("If-None-Match", header));
            assertThat(answer.statusCode()).as(header).isEqualTo(304);
            assertThat(answer.body()).isEmpty();
            assertThat(AdminClient.etag(answer)).isEqualTo(SAMPLE);
            assertThat(answer.headers().firstValue("Vary")).hasValue("Accept");
        }
        for (String header : List.of("\"other\"", "none")) {
            assertThat(client.send(client.request("/v1/policies").header("If-None-Match", header))
                            .body())
                    .isEqualTo(SamplePolicies.load().text());
        }
        assertThat(client.send(client.request("/v1/policies")
                                .header("If-None-Match", SAMPLE)
                                .header("Accept", "application/json"))
                        .statusCode())
                .as("JSON has the edition too, which the tag does not tell")
                .isEqualTo(200);
    }

    @Test
    void put_afterAnotherEdition_is412WithTheLatest() {
        client.put(TestPolicies.limit(7), SAMPLE);
        HttpResponse<String> answer = client.put(TestPolicies.limit(8), SAMPLE);
        assertThat(answer.statusCode()).isEqualTo(412);
        assertThat(AdminClient.etag(answer)).isEqualTo(tag(TestPolicies.limit(7)));
        assertThat(remaining()).isEqualTo(7);
        assertThat(client.put(TestPolicies.limit(8), "*").statusCode()).isEqualTo(200);
        assertThat(remaining()).isEqualTo(8);
        assertThat(audit.lines.get(1)).startsWith("who=127.0.0.1 what=\"put policies\" result=412 why=\"edition 2 is");
    }

    @Test
    void put_ofInvalidPolicies_is422WithAllProblems_andChangesNothing() {
        String yaml = "version: 1\npolicies:\n  - { name: a, limit: 5/parsec }\n  - { name: b, limit: 5/s, mood: x }\n";
        for (String path : List.of("/v1/policies", "/v1/policies?dry-run=true")) {
            HttpResponse<String> answer =
                    client.send(client.request(path).header("If-Match", SAMPLE).PUT(BodyPublishers.ofString(yaml)));
            assertThat(answer.statusCode()).isEqualTo(422);
            JsonArray problems = new JsonObject(answer.body()).getJsonArray("problems");
            assertThat(problems.stream().map(each -> ((JsonObject) each).getInteger("line")))
                    .containsExactly(3, 4);
            assertThat(problems.getJsonObject(0).getString("message")).contains("parsec");
            assertThat(problems.getJsonObject(0).getInteger("column")).isPositive();
        }
        assertThat(client.json("/v1/policies").getLong("edition")).isEqualTo(1);
    }

    @Test
    void put_ofBytesThatAreNotUtf8_is422() {
        byte[] bytes = {'v', (byte) 0xff};
        HttpResponse<String> answer = client.send(
                client.request("/v1/policies").header("If-Match", "*").PUT(BodyPublishers.ofByteArray(bytes)));
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body()).contains("(expected: UTF-8)");
    }

    @Test
    void put_ofUpToAMebibyte_isAccepted_andMoreIs413() throws IOException {
        String most = TestPolicies.limit(7) + "#"
                + "x".repeat(1024 * 1024 - TestPolicies.limit(7).length() - 1);
        assertThat(client.put(most, SAMPLE).statusCode()).isEqualTo(200);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String head = "PUT /v1/policies HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer " + AdminClient.TOKEN
                    + "\r\nIf-Match: *\r\nContent-Length: " + (1024 * 1024 + 1) + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 413");
        }
    }

    @Test
    void put_dryRun_answersTheDiffAndChangesNothing() {
        String before = """
                version: 1
                policies:
                  - { name: stays, limit: 5/s }
                  - { name: goes, limit: 5/s }
                  - { name: turns, key: [tenant], limit: 5/s, mode: shadow }
                """;
        String after = """
                version: 1
                policies:
                  - { name: comes, limit: 5/s }
                  - { name: turns, key: [tenant], limit: 6/s, reserve: { share: 20%, for: { p: high } } }
                  - { name: stays, limit: 5/s }
                alerts:
                  - { name: many, when: denied > 5, over: 1m, notify: [log] }
                """;
        client.put(before, SAMPLE);
        HttpResponse<String> answer =
                client.send(client.request("/v1/policies?dry-run=true").PUT(BodyPublishers.ofString(after)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonObject diff = new JsonObject(answer.body());
        assertThat(diff.getJsonArray("added")).containsExactly("comes");
        assertThat(diff.getJsonArray("removed")).containsExactly("goes");
        assertThat(diff.getJsonArray("changed").encode())
                .isEqualTo("[{\"policy\":\"turns\",\"fields\":{"
                        + "\"limit\":{\"old\":\"token-bucket 5/s\",\"new\":\"token-bucket 6/s\"},"
                        + "\"reserve\":{\"old\":null,\"new\":\"20% for {\\\"p\\\": \\\"high\\\"}\"},"
                        + "\"mode\":{\"old\":\"shadow\",\"new\":\"enforce\"}}}]");
        assertThat(diff.getJsonObject("alerts").getJsonArray("added")).containsExactly("many");
        assertThat(diff.getLong("edition")).isEqualTo(2);
        assertThat(diff.getBoolean("dry_run")).isTrue();
        assertThat(client.get("/v1/policies").body()).isEqualTo(before);
    }

    @Test
    void put_dryRunAfterAnotherEdition_is412() {
        HttpResponse<String> answer = client.send(client.request("/v1/policies?dry-run=true")
                .header("If-Match", "\"9\"")
                .PUT(BodyPublishers.ofString(TestPolicies.limit(7))));
        assertThat(answer.statusCode()).isEqualTo(412);
        assertThat(AdminClient.etag(answer)).isEqualTo(SAMPLE);
        assertThat(client.send(client.request("/v1/policies?dry-run=maybe")
                                .PUT(BodyPublishers.ofString(TestPolicies.limit(7))))
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void put_manyConcurrentlyWithTheSameTag_exactlyOneIsAccepted() {
        String last = SAMPLE;
        for (int round = 1; round <= 10; round++) {
            List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(client.sendAsync(client.putting(TestPolicies.limit(10 * round + i), last)));
            }
            List<Integer> codes =
                    all.stream().map(each -> each.join().statusCode()).sorted().toList();
            assertThat(codes).containsExactly(200, 412, 412, 412, 412, 412, 412, 412);
            last = AdminClient.etag(client.get("/v1/policies"));
        }
        assertThat(client.json("/v1/policies").getLong("edition")).isEqualTo(11);
    }

    @Test
    void history_hasTheLatestTwentyEditionsAndTheirTexts() {
        for (int edition = 1; edition <= 25; edition++) {
            client.put(TestPolicies.limit(edition + 1), edition == 1 ? SAMPLE : tag(TestPolicies.limit(edition)));
        }
        JsonArray editions = client.json("/v1/policies/history").getJsonArray("editions");
        assertThat(editions).hasSize(20);
        JsonObject latest = editions.getJsonObject(0);
        assertThat(latest.getLong("edition")).isEqualTo(26);
        assertThat(latest.getString("etag")).isEqualTo(tag(TestPolicies.limit(26)));
        assertThat(latest.getBoolean("current")).isTrue();
        assertThat(latest.getInstant("time")).isNotNull();
        assertThat(editions.getJsonObject(1).getBoolean("current")).isFalse();
        assertThat(editions.getJsonObject(19).getLong("edition")).isEqualTo(7);
        assertThat(editions.getJsonObject(0).getString("by")).isEqualTo("127.0.0.1");
        HttpResponse<String> old = client.get("/v1/policies/history?edition=7");
        assertThat(old.body()).isEqualTo(TestPolicies.limit(7));
        assertThat(old.headers().firstValue("Content-Type")).hasValue("application/yaml");
        assertThat(AdminClient.etag(old)).isEqualTo(tag(TestPolicies.limit(7)));
        assertThat(client.get("/v1/policies/history?edition=6").statusCode()).isEqualTo(404);
        assertThat(client.get("/v1/policies/history?edition=six").statusCode()).isEqualTo(400);
    }

    @Test
    void rollback_makesANewEditionOfAnOldText() {
        client.put(TestPolicies.limit(7), SAMPLE);
        client.put(TestPolicies.limit(8), tag(TestPolicies.limit(7)));
        HttpResponse<String> answer = client.rollback(2, tag(TestPolicies.limit(8)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(AdminClient.etag(answer)).as("its old one").isEqualTo(tag(TestPolicies.limit(7)));
        assertThat(remaining()).isEqualTo(7);
        assertThat(audit.lines)
                .last()
                .isEqualTo("who=127.0.0.1 what=\"roll back policies to 2\" edition=3->4 result=ok");
        assertThat(client.rollback(2, tag(TestPolicies.limit(8))).statusCode()).isEqualTo(412);
        assertThat(client.rollback(99, tag(TestPolicies.limit(7))).statusCode()).isEqualTo(404);
        assertThat(client.post("/v1/policies/rollback", "{\"edition\":1}").statusCode())
                .isEqualTo(428);
        for (String body :
                List.of("", "{", "[]", "{}", "{\"edition\":\"2\"}", "{\"edition\":2,\"x\":1}", "{\"edition\":1.5}")) {
            assertThat(client.send(client.request("/v1/policies/rollback")
                                    .header("If-Match", "*")
                                    .POST(BodyPublishers.ofString(body)))
                            .statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
    }
}
