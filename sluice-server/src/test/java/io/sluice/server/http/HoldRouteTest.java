package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that hold permits, {@code /v1/release} and {@code /v1/renew}. */
class HoldRouteTest {
    private static final ManualTime time = new ManualTime();
    private static HoldServer site;

    @BeforeAll
    static void open() {
        site = new HoldServer(MemoryStore.builder().time(time).build());
    }

    @AfterAll
    static void close() {
        site.close();
    }

    @Test
    void check_allowed_namesWhatItHolds() {
        HttpResponse<String> response = site.check("allowed", 5);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .startsWith("{\"allowed\":true,")
                .contains("\"limit\":\"concurrency 2 hold 30s\",\"mode\":\"enforce\",\"allowed\":true,\"remaining\":1,")
                .containsPattern("],\"holds\":\"[A-Za-z0-9._-]+\"}$");
        assertThat(response.headers().firstValue("RateLimit-Policy"))
                .hasValue("\"in-flight\";q=2;w=30, \"rate\";q=100;w=86400");
        assertThat(site.free("allowed")).isEqualTo(1);
        assertThat(site.remaining("rate", "allowed")).isEqualTo(95);
    }

    @Test
    void check_denied_holdsNothing_andAsksToRetryAfterOneSecond() {
        site.held("denied");
        site.held("denied");
        HttpResponse<String> denied = site.check("denied", 1);

        assertThat(denied.body())
                .startsWith("{\"allowed\":false,\"retry_after_us\":30000000,")
                .doesNotContain("holds");
        assertThat(denied.headers().firstValue("Retry-After")).hasValue("1");
    }

    @Test
    void release_givesBack_once() {
        String holds = site.held("released");
        assertThat(site.release(holds)).isEqualTo(204);
        assertThat(site.free("released")).isEqualTo(2);

        HttpResponse<String> again = site.post("/v1/release", "{\"holds\":\"" + holds + "\"}");
        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(again.body()).startsWith("{\"title\":\"Conflict\",\"status\":409,\"detail\":\"");
        assertThat(site.renew(holds)).isEqualTo(409);
        assertThat(site.remaining("rate", "released")).isEqualTo(99);
    }

    @Test
    void renew_keeps_andWithoutItThePermitLapses() {
        String renewed = site.held("lapses");
        String forgotten = site.held("lapses");
        time.advance(Duration.ofSeconds(29));
        assertThat(site.renew(renewed)).isEqualTo(204);
        time.advance(Duration.ofSeconds(1));
        assertThat(site.free("lapses")).isEqualTo(1);
        assertThat(site.renew(forgotten)).isEqualTo(409);
        assertThat(site.release(forgotten)).isEqualTo(409);
        assertThat(site.release(renewed)).isEqualTo(204);
    }

    @Test
    void batch_eachCheckHasItsOwn() {
        HttpResponse<String> response = site.post("/v1/check:batch", """
                {"checks":[{"attributes":{"tenant":"batch"}},{"attributes":{"tenant":"batch"}},{"attributes":{"tenant":"batch"}}]}""");

        assertThat(response.body()).contains("\"allowed\":false,").containsPattern("(\"holds\":\"[^\"]+\".*){2}");
        assertThat(site.free("batch")).isZero();
        assertThat(site.release(HoldServer.holds(response))).isEqualTo(204);
        assertThat(site.free("batch")).isEqualTo(1);
    }

    @Test
    void chargeAndAuth_doNotApplyThePolicy() {
        HttpResponse<String> charged = site.post("/v1/charge", "{\"attributes\":{\"tenant\":\"charged\"}}");
        assertThat(charged.body()).doesNotContain("in-flight", "holds").contains("\"policy\":\"rate\"");
        HttpResponse<String> asked = site.auth("asked");
        assertThat(asked.statusCode()).isEqualTo(200);
        assertThat(asked.headers().firstValue("RateLimit-Policy")).hasValue("\"rate\";q=100;w=86400");
        assertThat(site.free("asked")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/release", "/v1/renew"})
    void holds_thatTheStoreNeverHad_areAConflict(String path) {
        String holds = site.held("never");
        String other = holds.substring(0, holds.length() - 8)
                + holds.substring(holds.length() - 8).toLowerCase(Locale.ROOT);
        int status = site.post(path, "{\"holds\":\"" + other + "\"}").statusCode();
        assertThat(status).isIn(400, 409, 204);
        assertThat(other.equals(holds) || status != 204).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AQ", "AQAAAAAAAAAAAQAAAAF4AAAAAXgA", "="})
    void holds_withSomethingAfterThem_areRefusedAndStayHeld(String more) {
        String tenant = "more" + more;
        String holds = site.held(tenant);

        assertThat(site.release(holds + more)).isEqualTo(400);
        assertThat(site.renew(holds + more)).isEqualTo(400);
        assertThat(site.free(tenant)).isEqualTo(1);
        assertThat(site.renew(holds)).isEqualTo(204);
        assertThat(site.release(holds)).isEqualTo(204);
        assertThat(site.free(tenant)).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                 | nothing (expected: {
            {                                  | the body ends within the request
            []                                 | (expected: {
            {}                                 | no holds (expected: {
            {"holds":1}                        | holds is 1 (expected: the text that a check answered)
            {"holds":null}                     | holds is null (expected: the text
            {"holds":"x"}                      | holds: not held permits (expected: the text that a check answered)
            {"holds":""}                       | holds: not held permits (expected
            {"holds":"1.."}                    | holds: not held permits (expected
            {"holds":"1.!."}                   | holds: not held permits (expected
            {"holds":"x","holds":"x"}          | holds a second time (expected: once)
            {"holds":"x","permits":1}          | (expected: holds)
            {"holds":"x"} {}                   | (expected: the end of the body)
            """)
    void badBody_isRefused(String body, String expected) {
        for (String path : new String[] {"/v1/release", "/v1/renew"}) {
            HttpResponse<String> response = site.post(path, body);
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(response.body()).contains(expected.replace("\"", "\\\""));
        }
    }
}
