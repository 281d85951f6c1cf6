package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The OpenAPI document has all routes, and responses are as documented. */
class OpenApiTest {
    private static final Set<String> METHODS =
            Set.of("get", "head", "post", "put", "patch", "delete", "options", "trace");

    private static TestServer site;
    private static OpenApi document;

    @BeforeAll
    static void open() {
        site = TestServer.open(TestServer.THREE_EACH, config -> config.adminToken("open-sesame"));
        document = OpenApi.parse(site.send(site.request("/openapi.yaml")).body());
    }

    @AfterAll
    static void close() {
        site.close();
    }

    @Test
    void paths_areTheRoutes() {
        Map<String, Set<String>> documented = new TreeMap<>();
        document.map("paths").forEach((path, item) -> {
            Set<String> methods = new TreeSet<>();
            for (Object name : ((Map<?, ?>) item).keySet()) {
                if (METHODS.contains(String.valueOf(name))) {
                    methods.add(String.valueOf(name).toUpperCase(Locale.ROOT));
                }
            }
            documented.put(String.valueOf(path), methods);
        });

        Map<String, Set<String>> served = site.routes().listing();

        assertThat(documented.keySet()).isEqualTo(served.keySet());
        served.forEach((path, methods) -> {
            if (!methods.isEmpty()) {
                assertThat(documented).containsEntry(path, methods);
            }
        });
    }

    @Test
    void adminRoutes_needTheToken() {
        for (String route : site.routes().adminOnly()) {
            String[] parts = route.split(" ", 2);
            assertThat(document.at("paths", parts[1], parts[0].toLowerCase(Locale.ROOT)))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsKey("security");
        }
    }

    @Test
    void references_allExist() {
        assertThat(document.brokenReferences()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            post|/v1/check      |{"attributes":{"tenant":"a","path":"/api/x","ip":"192.0.2.1"}}|200
            post|/v1/check      |{"attributes":{"tenant":"a"},"permits":4}                   |200
            post|/v1/check      |{"attributes":{}}                                           |200
            post|/v1/check      |{"attributes":{"tenant":1}}                                 |400
            post|/v1/reserve    |{"attributes":{"tenant":"r"},"permits":2,"ttl":"1s"}        |200
            post|/v1/reserve    |{"attributes":{"tenant":"r"},"permits":4}                   |200
            post|/v1/reserve    |{"attributes":{"tenant":"r"},"ttl":"1ms"}                   |400
            post|/v1/settle     |{"reservation":"1.AAAAAAAAAAAAAAAAAAAAAA.","permits":1}     |409
            post|/v1/settle     |{"reservation":"x","permits":1}                             |400
            post|/v1/check:batch|{"checks":[{"attributes":{}},{"attributes":{"tenant":"b"}}]}|200
            post|/v1/check:batch|{"checks":[1]}                                              |400
            post|/v1/auth       |``                                                          |200
            post|/v1/auth?permits=9&deny=403|``                                              |403
            post|/v1/auth?permits=9|``                                                       |429
            get |/v1/auth?permits=x|``                                                       |400
            post|/v1/explain    |{"attributes":{}}                                           |401
            get |/openapi.yaml  |``                                                          |200
            get |/healthz       |``                                                          |200
            get |/readyz        |``                                                          |200
            get |/metrics       |``                                                          |200
            get |/v1/policies   |``                                                          |401
            """)
    void response_isAsDocumented(String method, String path, String body, int status) {
        HttpRequest.Builder request = site.request(path)
                .header("X-Sluice-Tenant", "z")
                .method(method.toUpperCase(Locale.ROOT), BodyPublishers.ofString(body));
        HttpResponse<String> response = site.send(request);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(document.misfits(method, path, response)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            post|/v1/explain          |{"attributes":{"tenant":"a","x":"y"}}              |200
            post|/v1/explain          |{}                                                 |400
            get |/v1/policies         |``                                                 |200
            put |/v1/policies         |``                                                 |428
            put |/v1/policies?dry-run=true|{"version":1,"policies":[]}                    |200
            put |/v1/policies?dry-run=true|{"version":2}                                  |422
            put |/v1/policies?dry-run=maybe|``                                            |400
            get |/v1/policies/history |``                                                 |200
            get |/v1/policies/history?edition=99|``                                       |404
            post|/v1/policies/rollback|{"edition":1}                                      |428
            post|/v1/inspect          |{"attributes":{"tenant":"a"}}                      |200
            post|/v1/inspect          |{"policy":"per-tenant","key":{"tenant":"a"}}       |200
            post|/v1/inspect          |{"policy":"none","key":{}}                         |404
            post|/v1/reset            |{"attributes":{"tenant":"a"}}                      |200
            post|/v1/reset            |{}                                                 |400
            get |/v1/top              |``                                                 |200
            get |/v1/top?n=0          |``                                                 |400
            post|/v1/key              |{"policy":"per-tenant","key":{"tenant":"a"}}       |200
            post|/v1/key              |{"policy":"none","key":{}}                         |404
            post|/v1/policies:preview |{"version":2}                                      |200
            post|/v1/policies:preview?replay=true|{"version":1,"policies":[{"name":"x","limit":"blocked"}]}|200
            post|/v1/policies:preview?replay=no|``                                        |400
            get |/v1/overrides        |``                                                 |200
            put |/v1/overrides        |{"policy":"per-ip","key":{"ip":"10.0.0.1"},"limit":"5/s","ttl":"1m"}|200
            post|/v1/inspect          |{"policy":"per-ip","key":{"ip":"10.0.0.1"}}        |200
            post|/v1/explain          |{"attributes":{"path":"/api/x","ip":"10.0.0.1"}}   |200
            post|/v1/pause            |{"policy":"per-ip","key":{"ip":"10.0.0.1"},"for":"1m"}|409
            post|/v1/pause            |{"policy":"per-ip","key":{"ip":"10.0.0.2"},"for":"1m"}|200
            post|/v1/pause            |{"policy":"per-ip","key":{"ip":"10.0.0.2"},"for":"1y"}|400
            put |/v1/overrides        |{"policy":"none","key":{},"limit":"5/s","ttl":"1m"}|404
            put |/v1/overrides        |{"policy":"per-ip","key":{},"limit":"5/s","ttl":"1m"}|400
            delete|/v1/overrides?id=x |``                                                 |404
            delete|/v1/overrides      |``                                                 |400
            get |/v1/live             |``                                                 |200
            get |/v1/live?scope=some  |``                                                 |400
            get |/v1/session          |``                                                 |200
            post|/v1/session          |{"token":"open-sesame"}                            |403
            """)
    void response_withTheToken_isAsDocumented(String method, String path, String body, int status) {
        site.post("/v1/check", "{\"attributes\":{\"tenant\":\"a\"}}");
        HttpResponse<String> response = site.send(site.request(path)
                .header("Authorization", "Bearer open-sesame")
                .method(method.toUpperCase(Locale.ROOT), BodyPublishers.ofString(body)));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(document.misfits(method, path, response)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/inspect", "/v1/explain"})
    void response_ofAKeyInDebt_isAsDocumented(String path) {
        String body = "{\"attributes\":{\"tenant\":\"owes" + path + "\"},\"permits\":8}";
        site.post("/v1/charge", body);
        HttpResponse<String> response = site.send(site.request(path)
                .header("Authorization", "Bearer open-sesame")
                .POST(BodyPublishers.ofString(body.replace(",\"permits\":8", ""))));

        assertThat(response.body()).contains("\"debt\":5");
        assertThat(document.misfits("post", path, response)).isEmpty();
    }

    @Test
    void response_ofASettle_isAsDocumented() {
        String reserved = site.post("/v1/reserve", "{\"attributes\":{\"tenant\":\"s\"},\"permits\":3}")
                .body();
        HttpResponse<String> settled = site.post(
                "/v1/settle",
                "{" + reserved.substring(reserved.indexOf("\"reservation\""), reserved.length() - 1)
                        + ",\"permits\":1}");

        assertThat(settled.statusCode()).isEqualTo(200);
        assertThat(settled.body()).contains("\"remaining\":2,");
        assertThat(document.misfits("post", "/v1/settle", settled)).isEmpty();
    }

    @Test
    void response_toTags_isAsDocumented() {
        HttpResponse<String> known = site.send(site.request("/v1/policies")
                .header("Authorization", "Bearer open-sesame")
                .header("If-None-Match", AdminClient.tag(TestServer.THREE_EACH)));
        assertThat(known.statusCode()).isEqualTo(304);
        assertThat(document.misfits("get", "/v1/policies", known)).isEmpty();

        HttpResponse<String> others = site.send(site.request("/v1/policies")
                .header("Authorization", "Bearer open-sesame")
                .header("If-Match", "\"1\"")
                .PUT(BodyPublishers.ofString(TestServer.THREE_EACH)));
        assertThat(others.statusCode()).isEqualTo(412);
        assertThat(document.misfits("put", "/v1/policies", others)).isEmpty();
    }

    @Test
    void response_toALargeBody_isAsDocumented() {
        HttpResponse<String> response = site.post("/v1/check", " ".repeat(70_000));

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(document.misfits("post", "/v1/check", response)).isEmpty();
    }

    @Test
    void explanation_isAsDocumented() {
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(Policies.parse(TestServer.THREE_EACH, "test"))
                .build()) {
            String json = engine.explain(Map.of("tenant", "a", "x", "y"), 1).toJson(Map.of("tenant", "a", "x", "y"), 1);

            assertThat(document.misfits("Explanation", json)).isEmpty();
        }
    }

    /** Proves that the checker finds differences. */
    @Test
    void checker_findsDifferences() {
        assertThat(document.misfits(
                        "Decision", "{\"allowed\":1,\"retry_after_us\":0,\"delay_us\":0,\"violated\":[],\"x\":0}"))
                .containsExactlyInAnyOrder("$.allowed: 1 (expected: boolean)", "$.x: unknown", "$: no results");
        assertThat(document.misfits("Result", "{\"mode\":\"on\"}"))
                .contains("$.mode: on (expected: one of [enforce, shadow])");
    }
}
