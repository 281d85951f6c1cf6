package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.CapturedServerLog;
import io.sluice.server.RawConnection;
import io.sluice.server.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthRouteTest {
    /** One permit for each value: a second request is denied by the policies that saw the same values. */
    private static final String ONE_EACH = """
            version: 1
            policies:
              - { name: method, key: [method], limit: fixed-window 1 per 1h from-first }
              - { name: path, key: [path], limit: fixed-window 1 per 1h from-first }
              - { name: ip, key: [ip], limit: fixed-window 1 per 1h from-first }
              - { name: host, key: [host], limit: fixed-window 1 per 1h from-first }
              - { name: tenant, key: [tenant], limit: fixed-window 1 per 1h from-first }
            """;

    private static String looks(TestServer site, String attribute, String value) {
        String body = site.post("/v1/check", "{\"attributes\":{\"" + attribute + "\":\"" + value + "\"},\"permits\":1}")
                .body();
        return body.startsWith("{\"allowed\":true") ? "unseen" : "seen";
    }

    @Test
    void headers_ofATrustedPeer_areTheAttributes() {
        try (TestServer site = TestServer.open(ONE_EACH, config -> config)) {
            HttpResponse<String> response = site.send(site.request("/v1/auth")
                    .header("X-Forwarded-Method", "DELETE")
                    .header("X-Forwarded-Uri", "/a/../api/%6frders?x=" + "y".repeat(5000))
                    .header("X-Forwarded-For", "198.51.100.7, 127.0.0.1")
                    .header("X-Forwarded-Host", "API.example.com:8443")
                    .header("X-Sluice-Tenant", "acme")
                    .header("X-Sluice-Ip", "192.0.2.1"));

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEmpty();
            assertThat(response.headers().firstValue("RateLimit").orElse(""))
                    .isEqualTo("\"method\";r=0;t=3600, \"path\";r=0;t=3600, \"ip\";r=0;t=3600, \"host\";r=0;t=3600, "
                            + "\"tenant\";r=0;t=3600");
            assertThat(looks(site, "method", "DELETE")).isEqualTo("seen");
            assertThat(looks(site, "path", "/api/orders")).isEqualTo("seen");
            assertThat(looks(site, "ip", "198.51.100.7")).isEqualTo("seen");
            assertThat(looks(site, "ip", "192.0.2.1")).isEqualTo("unseen");
            assertThat(looks(site, "host", "api.example.com")).isEqualTo("seen");
            assertThat(looks(site, "tenant", "acme")).isEqualTo("seen");
        }
    }

    @Test
    void headers_ofNginx_areTheAttributes() {
        try (TestServer site = TestServer.open(ONE_EACH, config -> config)) {
            site.send(site.request("/v1/auth")
                    .header("X-Original-Method", "PATCH")
                    .header("X-Original-URI", "/b?c"));

            assertThat(looks(site, "method", "PATCH")).isEqualTo("seen");
            assertThat(looks(site, "path", "/b")).isEqualTo("seen");
            assertThat(looks(site, "ip", "127.0.0.1")).isEqualTo("seen");
        }
    }

    @Test
    void headers_ofAnUntrustedPeer_areIgnored() {
        try (TestServer site = TestServer.open(ONE_EACH, config -> config.trusted(List.of()))) {
            HttpResponse<String> response = site.send(site.request("/v1/auth")
                    .method("PUT", BodyPublishers.ofString("ignored"))
                    .header("X-Forwarded-Method", "DELETE")
                    .header("X-Forwarded-Uri", "/api")
                    .header("X-Forwarded-For", "198.51.100.7")
                    .header("X-Forwarded-Host", "api.example.com")
                    .header("X-Sluice-Tenant", "acme"));

            assertThat(response.headers().firstValue("RateLimit").orElse("")).doesNotContain("tenant");
            assertThat(looks(site, "method", "PUT")).isEqualTo("seen");
            assertThat(looks(site, "path", "/v1/auth")).isEqualTo("seen");
            assertThat(looks(site, "ip", "127.0.0.1")).isEqualTo("seen");
            assertThat(looks(site, "host", "127.0.0.1")).isEqualTo("seen");
            assertThat(looks(site, "tenant", "acme")).isEqualTo("unseen");
        }
    }

    @Test
    void headers_ofAnUntrustedPeer_areLoggedOnce() {
        try (CapturedServerLog log = new CapturedServerLog();
                TestServer site = TestServer.open(ONE_EACH, config -> config.trusted(List.of()))) {
            site.send(site.request("/v1/auth"));
            assertThat(log.warnings()).isEmpty();
            for (int i = 0; i < 3; i++) {
                site.send(site.request("/v1/auth").header("X-Forwarded-For", "198.51.100.7"));
            }
            assertThat(log.warnings())
                    .containsExactly("ignored on /v1/auth, because 127.0.0.1 is not a trusted proxy: X-Forwarded-For"
                            + " (to trust it: --trusted-proxies 127.0.0.1; logged once a minute at most)");
        }
        try (CapturedServerLog log = new CapturedServerLog();
                TestServer site = TestServer.open(ONE_EACH, config -> config)) {
            site.send(site.request("/v1/auth").header("X-Forwarded-For", "198.51.100.7"));
            assertThat(log.warnings()).as("of a trusted one").isEmpty();
        }
    }

    @Test
    void value_inUtf8_isTheSameAsInJson() {
        try (TestServer site = TestServer.open(ONE_EACH, config -> config);
                RawConnection wire = site.wire()) {
            wire.send("GET /v1/auth HTTP/1.1\r\nHost: x\r\nX-Sluice-Tenant: \u00c3\u00a9\r\n\r\n")
                    .answer();

            assertThat(looks(site, "tenant", "é")).isEqualTo("seen");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
    void denial_withAnyMethod_isAProblemWithHeaders(String method) {
        try (TestServer site = TestServer.open()) {
            HttpResponse<String> denied = site.send(site.request("/v1/auth?permits=4")
                    .method(method, BodyPublishers.ofString("ignored"))
                    .header("X-Sluice-Tenant", "acme"));
            site.send(site.request("/v1/auth?permits=3").header("X-Sluice-Tenant", "acme"));
            HttpResponse<String> later = site.send(site.request("/v1/auth")
                    .method(method, BodyPublishers.noBody())
                    .header("X-Sluice-Tenant", "acme"));

            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("Retry-After")).isEmpty();
            assertThat(later.statusCode()).isEqualTo(429);
            assertThat(later.headers().firstValue("Retry-After").orElse("")).matches("3600|3599");
            assertThat(later.headers().firstValue("RateLimit").orElse("")).startsWith("\"per-tenant\";r=0;t=");
            assertThat(later.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(later.body())
                    .contains("\"status\":429", "#quota-exceeded", "\"violated-policies\":[\"per-tenant\"]");
        }
    }

    @Test
    void deny_isTheStatusOfADenialOnly() {
        try (TestServer site = TestServer.open()) {
            HttpResponse<String> denied =
                    site.send(site.request("/v1/auth?deny=403&permits=9").header("X-Sluice-Tenant", "acme"));

            assertThat(denied.statusCode()).isEqualTo(403);
            assertThat(denied.body()).contains("\"status\":403");
            assertThat(site.send(site.request("/v1/auth?deny=403").header("X-Sluice-Tenant", "acme"))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            deny=200            |deny is 200 (expected: a whole number from 400 to 599)
            deny=600            |deny is 600 (expected: a whole number from 400 to 599)
            deny=               |deny is  (expected: a whole number from 400 to 599)
            deny=+403           |deny is +403 (expected: a whole number from 400 to 599)
            deny=403&deny=403   |deny a second time (expected: once)
            permits=-1          |permits is -1 (expected: a whole number from 0 to 9007199254740991)
            permits=9007199254740992|permits is 9007199254740992 (expected: a whole number from 0 to 9007199254740991)
            denny=403           |unknown parameter denny (expected: deny, permits)
            """)
    void invalidQuery_isRefused(String query, String detail) {
        try (TestServer site = TestServer.open()) {
            HttpResponse<String> response = site.send(site.request("/v1/auth?" + query));

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(response.body()).contains(detail);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            X-Forwarded-Uri: /a   |X-Original-URI: /b       |headers X-Forwarded-Uri and X-Original-URI differ
            X-Forwarded-Method: A |X-Original-Method: B     |headers X-Forwarded-Method and X-Original-Method differ
            X-Forwarded-Uri: /a   |X-Forwarded-Uri: /a      |header X-Forwarded-Uri a second time
            X-Sluice-Tenant: a    |x-sluice-tenant: b       |header X-Sluice-\\"tenant\\" a second time
            """)
    void conflictingHeaders_areDenied(String one, String other, String detail) {
        String headers = " HTTP/1.1\r\nHost: x\r\n" + one + "\r\n" + other + "\r\n\r\n";
        try (CapturedServerLog log = new CapturedServerLog();
                TestServer site = TestServer.open();
                RawConnection wire = site.wire()) {
            assertThat(wire.send("GET /v1/auth" + headers).answer())
                    .startsWith("HTTP/1.1 429 ")
                    .contains(detail);
            assertThat(wire.send("GET /v1/auth?deny=403" + headers).answer()).startsWith("HTTP/1.1 403 ");
            assertThat(log.warnings())
                    .singleElement()
                    .asString()
                    .startsWith("denied on /v1/auth, asked by 127.0.0.1: ");
        }
    }

    @Test
    void tooManyAttributes_areDenied() {
        try (TestServer site = TestServer.open()) {
            HttpRequest.Builder request = site.request("/v1/auth?deny=403");
            for (int i = 0; i < 64; i++) {
                request.header("X-Sluice-A" + i, "x");
            }
            assertThat(site.send(request).statusCode()).isEqualTo(403);
        }
    }

    /** A gateway that allows requests when Sluice fails must not see a failure. */
    @Test
    void longValues_areMatchedAsAWhole_andHaveTheirOwnKeys() {
        String path = "/api/" + "x".repeat(8000);
        String tenant = "t".repeat(6000);
        try (TestServer site = TestServer.open()) {
            for (int status : new int[] {200, 200, 429}) {
                assertThat(site.send(site.request("/v1/auth").header("X-Original-URI", path))
                                .statusCode())
                        .as("by /api/**")
                        .isEqualTo(status);
            }
            for (int status : new int[] {200, 200, 200, 429}) {
                assertThat(site.send(site.request("/v1/auth").header("X-Sluice-Tenant", tenant))
                                .statusCode())
                        .isEqualTo(status);
            }
            assertThat(site.send(site.request("/v1/auth").header("X-Sluice-Tenant", tenant + "u"))
                            .statusCode())
                    .as("another one")
                    .isEqualTo(200);
            assertThat(site.send(site.request("/v1/auth")
                                    .header("X-Original-URI", "/" + path)
                                    .header("X-Sluice-Tenant", "u".repeat(6000)))
                            .statusCode())
                    .as("as much as nginx hands on")
                    .isEqualTo(429);
        }
    }

    @Test
    void path_inRawUtf8_isTheSameAsEscaped() {
        try (TestServer site = TestServer.open(ONE_EACH, config -> config);
                RawConnection wire = site.wire()) {
            wire.send("GET /v1/auth HTTP/1.1\r\nHost: x\r\nX-Original-URI: /caf\u00c3\u00a9?x\r\n\r\n")
                    .answer();

            assertThat(looks(site, "path", "/caf%C3%A9")).isEqualTo("seen");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Original-URI: /%",
                "X-Original-URI: /%zz%f",
                "X-Original-URI: /%ff%fe%00",
                "X-Original-URI: /\u00ff\u00fe",
                "X-Original-URI: ",
                "X-Original-URI: *",
                "X-Original-URI: example.com:443",
                "X-Original-URI: http://a:b@c:d/%2e%2e/../..",
                "X-Original-Method: ",
                "X-Original-Method: \u00ff",
                "X-Forwarded-For: unknown",
                "X-Forwarded-For: ,,,",
                "X-Forwarded-For: 999.1.1.1, ::::, [",
                "Forwarded: for=\"[",
                "Forwarded: ;;=,\"",
                "X-Forwarded-Host: ",
                "X-Forwarded-Host: ]:[:,",
                "X-Sluice-Tenant: ",
                "X-Sluice-: x",
                "X-Sluice-Tenant: \u00ff\u00c3"
            })
    void anyHeaderValue_leadsToADecision(String header) {
        try (TestServer site = TestServer.open(ONE_EACH, config -> config);
                RawConnection wire = site.wire()) {
            assertThat(wire.send("GET /v1/auth HTTP/1.1\r\nHost: x\r\n" + header + "\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    /** By default nginx passes on the length of a body that it does not send. */
    @Test
    void missingBody_isNotAwaited() {
        try (TestServer site = TestServer.open();
                RawConnection wire = site.wire()) {
            assertThat(wire.send("POST /v1/auth HTTP/1.0\r\nContent-Length: 1000\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.0 200 ");
        }
    }
}
