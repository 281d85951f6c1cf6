package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code /v1/reserve} and {@code /v1/settle}. */
class SettleRouteTest {
    private static final ManualTime time = new ManualTime();
    private static SettleServer site;

    @BeforeAll
    static void open() {
        site = new SettleServer(MemoryStore.builder().time(time).build());
    }

    @AfterAll
    static void close() {
        site.close();
    }

    @Test
    void reserve_allowed_chargesTheEstimateAndNamesTheReservation() {
        HttpResponse<String> response = site.reserve("allowed", 60, "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .startsWith("{\"allowed\":true,\"retry_after_us\":0,")
                .contains("\"remaining\":40,")
                .containsPattern("],\"reservation\":\"[A-Za-z0-9._-]+\"}$");
        assertThat(response.headers().firstValue("RateLimit")).hasValue("\"per-tenant\";r=40;t=86400");
        assertThat(site.remaining("allowed")).isEqualTo(40);
    }

    @Test
    void reserve_denied_chargesNothingAndNamesNone() {
        HttpResponse<String> response = site.post(
                "/v1/reserve", "{\"attributes\":{\"tenant\":\"denied\",\"counted\":\"yes\"},\"permits\":101}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).startsWith("{\"allowed\":false,").doesNotContain("reservation");
        assertThat(site.remaining("denied")).isEqualTo(100);
        assertThat(site.remaining("counted", "denied")).as("of charge: always").isEqualTo(50);
    }

    @ParameterizedTest
    @CsvSource({"0, 100", "1, 99", "59, 41", "60, 40", "61, 39", "100, 0", "101, 0"})
    void settle_replacesTheEstimate(long actual, long remaining) {
        String tenant = "settles-" + actual;
        HttpResponse<String> response = site.settle(site.reserved(tenant, 60), actual);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .startsWith("{\"allowed\":" + (actual <= 100))
                .contains("\"key\":{\"tenant\":\"" + tenant + "\"}", "\"remaining\":" + remaining + ",")
                .doesNotContain("reservation");
        assertThat(site.remaining(tenant)).isEqualTo(remaining);
    }

    @Test
    void settle_again_isAConflictAndChangesNothing() {
        String reservation = site.reserved("again", 60);
        site.settle(reservation, 10);
        HttpResponse<String> again = site.settle(reservation, 90);

        assertThat(again.statusCode()).isEqualTo(409);
        assertThat(again.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(again.body()).startsWith("{\"title\":\"Conflict\",\"status\":409,\"detail\":\"");
        assertThat(site.remaining("again")).isEqualTo(90);
    }

    @ParameterizedTest
    @CsvSource({"'', 60", "',\"ttl\":\"1s\"', 1", "',\"ttl\":\"1000ms\"', 1", "',\"ttl\":\"1h\"', 3600"})
    void ttl_ends_settleIsAConflictAndTheEstimateStands(String field, long seconds) {
        String tenant = "ends-" + field.hashCode();
        String settled = SettleServer.reservation(site.reserve(tenant, 10, field));
        String late = SettleServer.reservation(site.reserve(tenant, 20, field));

        time.advance(Duration.ofSeconds(seconds).minusNanos(1000));
        assertThat(site.settle(settled, 1).statusCode()).isEqualTo(200);
        time.advance(Duration.ofNanos(1000));
        assertThat(site.settle(late, 1).statusCode()).isEqualTo(409);
        assertThat(site.remaining(tenant)).isEqualTo(79);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"999ms\"", "\"3601s\"", "\"2h\"", "\"0s\"", "\"-1s\"", "\"1.5s\"", "\"60\"", "\"s\"", "\"\"",
                "\"soon\"", "\"99999999999999999999s\"", "\"1s per\"", "60", "1.5", "null", "true", "{}", "[]"
            })
    void ttl_thatIsNone_isRefusedAndNothingIsCharged(String ttl) {
        HttpResponse<String> response = site.reserve("ttl", 10, ",\"ttl\":" + ttl);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("ttl is ", "(expected: a duration from 1s to 1h, such as 60s)");
        assertThat(site.remaining("ttl")).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.", "1.x.", "2.AAAAAAAAAAAAAAAAAAAAAA.", "1.AAAAAAAAAAAAAAAAAAAAA!.", "é"})
    void reservation_thatIsNone_isRefused(String text) {
        HttpResponse<String> response = site.settle(text, 1);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("\"detail\":\"reservation: not ", "(expected: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAA=", "."})
    void reservation_withSomethingAfterIt_isRefusedAndSpendsNothing(String more) {
        String reservation = site.reserved("more" + more, 60);

        assertThat(site.settle(reservation + more, 1).statusCode()).isEqualTo(400);
        assertThat(site.remaining("more" + more)).isEqualTo(40);
        assertThat(site.settle(reservation, 25).statusCode()).isEqualTo(200);
        assertThat(site.remaining("more" + more)).isEqualTo(75);
    }

    @Test
    void reservation_thatTheStoreNeverHad_isAConflict() {
        assertThat(site.settle("1.AAAAAAAAAAAAAAAAAAAAAA.", 1).statusCode()).isEqualTo(409);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                               | nothing (expected: {
            {                                                | the body ends within the request
            []                                               | (expected: {
            {"permits":1}                                    | no reservation (expected: {
            {"reservation":"x"}                              | no permits (expected: {
            {"reservation":1,"permits":1}                    | reservation is 1 (expected: the text that a reserve answered)
            {"reservation":null,"permits":1}                 | reservation is null (expected: the text
            {"reservation":"x","permits":-1}                 | permits is -1 (expected: a whole number from 0 to 9007199254740991)
            {"reservation":"x","permits":1.5}                | permits is 1.5 (expected: a whole number
            {"reservation":"x","permits":"1"}                | (expected: a whole number
            {"reservation":"x","permits":1,"ttl":"1s"}       | (expected: reservation, permits)
            {"reservation":"x","permits":1,"permits":1}      | permits a second time (expected: once)
            {"reservation":"x","permits":1} {}               | (expected: the end of the body)
            """)
    void settle_withABadBody_isRefused(String body, String expected) {
        HttpResponse<String> response = site.post("/v1/settle", body);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"permits":1}                                    | no attributes (expected: {
            {"attributes":{},"permits":-1}                   | permits is -1 (expected: a whole number
            {"attributes":{},"reservation":"x"}              | (expected: attributes, permits, ttl)
            {"attributes":{},"ttl":"1s","ttl":"1s"}          | ttl a second time (expected: once)
            """)
    void reserve_withABadBody_isRefused(String body, String expected) {
        HttpResponse<String> response = site.post("/v1/reserve", body);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains(expected);
    }
}
