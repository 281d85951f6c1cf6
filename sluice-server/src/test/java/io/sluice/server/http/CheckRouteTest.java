package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckRouteTest {
    private static TestServer site;

    @BeforeAll
    static void open() {
        site = TestServer.open();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void allowedCheck_hasTheFieldsOfALineOfDecisions() {
        HttpResponse<String> response = site.post("/v1/check", "{\"attributes\":{\"tenant\":\"a\"},\"permits\":2}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .matches("\\{\"allowed\":true,\"retry_after_us\":0,\"delay_us\":0,\"violated\":\\[],\"results\":\\["
                        + "\\{\"policy\":\"per-tenant\",\"key\":\\{\"tenant\":\"a\"},\"limit\":\"fixed-window 3/h from-first\","
                        + "\"mode\":\"enforce\",\"allowed\":true,\"remaining\":1,\"retry_after_us\":0,\"delay_us\":0,"
                        + "\"reset_after_us\":3600000000}]}");
        assertThat(header(response, "Content-Type")).isEqualTo("application/json");
        assertThat(header(response, "RateLimit-Policy")).isEqualTo("\"per-tenant\";q=3;w=3600");
        assertThat(header(response, "RateLimit")).isEqualTo("\"per-tenant\";r=1;t=3600");
        assertThat(header(response, "Retry-After")).isEmpty();
        assertThat(response.headers().map()).doesNotContainKeys("x-ratelimit-limit", "access-control-allow-origin");
    }

    @Test
    void deniedCheck_is200WithRetryAfter() {
        HttpResponse<String> allowed = site.post("/v1/check", "{\"attributes\":{\"tenant\":\"b\"},\"permits\":3}");
        HttpResponse<String> denied = site.post("/v1/check", "{\"attributes\":{\"tenant\":\"b\"}}");

        assertThat(allowed.body()).startsWith("{\"allowed\":true,");
        assertThat(denied.statusCode()).isEqualTo(200);
        assertThat(denied.body()).startsWith("{\"allowed\":false,").contains("\"violated\":[\"per-tenant\"]");
        assertThat(header(denied, "Retry-After")).matches("3600|3599");
    }

    @Test
    void charge_moreThanIsLeft_answersAsALookInDebt() {
        HttpResponse<String> within = site.post("/v1/charge", "{\"attributes\":{\"tenant\":\"d\"},\"permits\":2}");
        HttpResponse<String> debt = site.post("/v1/charge", "{\"attributes\":{\"tenant\":\"d\"},\"permits\":2}");
        HttpResponse<String> look = site.post("/v1/check", "{\"attributes\":{\"tenant\":\"d\"},\"permits\":0}");

        assertThat(within.body()).startsWith("{\"allowed\":true,").contains("\"remaining\":1,");
        assertThat(debt.statusCode()).isEqualTo(200);
        assertThat(debt.body()).startsWith("{\"allowed\":false,").contains("\"violated\":[\"per-tenant\"]");
        assertThat(look.body()).startsWith("{\"allowed\":false,");
        assertThat(site.post("/v1/charge", "{\"permits\":1}").statusCode()).isEqualTo(400);
    }

    @Test
    void zeroPermits_chargeNothing() {
        for (int i = 0; i < 5; i++) {
            assertThat(site.post("/v1/check", "{\"attributes\":{\"tenant\":\"c\"},\"permits\":0}")
                            .body())
                    .startsWith("{\"allowed\":true,")
                    .contains("\"remaining\":3,");
        }
    }

    @Test
    void check_withoutAPolicyThatApplies_isAllowedWithoutHeaders() {
        HttpResponse<String> response = site.post("/v1/check", "{\"attributes\":{}}");

        assertThat(response.body())
                .isEqualTo("{\"allowed\":true,\"retry_after_us\":0,\"delay_us\":0,\"violated\":[],\"results\":[]}");
        assertThat(response.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy");
    }

    @Test
    void legacyHeaders_whenEnabled_areSent() {
        try (TestServer legacy = TestServer.open(TestServer.THREE_EACH, config -> config.legacyHeaders(true))) {
            HttpResponse<String> response = legacy.post("/v1/check", "{\"attributes\":{\"tenant\":\"a\"}}");

            assertThat(header(response, "X-RateLimit-Limit")).isEqualTo("3");
            assertThat(header(response, "X-RateLimit-Remaining")).isEqualTo("2");
            assertThat(header(response, "X-RateLimit-Reset")).isEqualTo("3600");
        }
    }

    @Test
    void invalidBody_isRefusedWithItsPlace() {
        HttpResponse<String> response =
                site.post("/v1/check", "{\n  \"attributes\": {\n    \"é\": \"\", \"tenant\": 5}}");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(response.body())
                .isEqualTo(
                        "{\"title\":\"Bad Request\",\"status\":400,\"detail\":\"line 3, column 24: attribute \\\"tenant\\\""
                                + " is 5 (expected: a text, as in \\\"5\\\")\"}");
        assertThat(site.post("/v1/check", "").body())
                .contains("\"detail\":\"line 1, column 1: nothing (expected: {\\\"attributes\\\":{...}})\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "Application/JSON; charset=utf-8",
                "application/vnd.x+json",
                "application/x-www-form-urlencoded"
            })
    void contentType_thatMayBeJson_isAccepted(String type) {
        assertThat(site.send(site.request("/v1/check")
                                .header("Content-Type", type)
                                .POST(BodyPublishers.ofString("{\"attributes\":{}}")))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void contentType_thatIsNotJson_isRefused() {
        HttpResponse<String> response = site.send(
                site.request("/v1/check").header("Content-Type", "text/xml").POST(BodyPublishers.ofString("<a/>")));

        assertThat(response.statusCode()).isEqualTo(415);
        assertThat(response.body()).contains("Content-Type is text/xml (expected: application/json)");
    }

    @Test
    void tooManyOrTooLongAttributes_areRefused() {
        StringBuilder many = new StringBuilder("{\"attributes\":{\"a\":\"\"");
        for (int i = 0; i < 64; i++) {
            many.append(",\"a").append(i).append("\":\"\"");
        }

        assertThat(site.post("/v1/check", many.append("}}").toString()).body())
                .contains("\"status\":400", "more than 64 attributes");
        assertThat(site.post("/v1/check", "{\"attributes\":{\"tenant\":\"" + "x".repeat(4097) + "\"}}")
                        .body())
                .contains("\"status\":400", "has 4097 bytes (expected: at most 4096)");
        assertThat(site.post("/v1/check", "{\"attributes\":{\"tenant\":\"" + "x".repeat(4096) + "\"}}")
                        .statusCode())
                .isEqualTo(200);
    }
}
