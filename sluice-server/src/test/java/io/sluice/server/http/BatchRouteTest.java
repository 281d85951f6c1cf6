package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.TestServer;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BatchRouteTest {
    private static TestServer site;

    @BeforeAll
    static void open() {
        site = TestServer.open();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    private static String checks(int count, String check) {
        return "{\"checks\":[" + String.join(",", Collections.nCopies(count, check)) + "]}";
    }

    private static long allowed(HttpResponse<String> response) {
        return Pattern.compile("\\{\"allowed\":true,\"retry")
                .matcher(response.body())
                .results()
                .count();
    }

    @Test
    void batch_isDecidedInOrder_eachAsACheck() {
        HttpResponse<String> response = site.post(
                "/v1/check:batch",
                "{\"checks\":[{\"attributes\":{\"tenant\":\"a\"},\"permits\":2},{\"attributes\":{\"tenant\":\"a\"},\"permits\":2},"
                        + "{\"attributes\":{\"tenant\":\"a\"}},{\"attributes\":{}}]}");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .matches(
                        "\\{\"decisions\":\\[\\{\"allowed\":true,.*\\{\"allowed\":false,.*\\{\"allowed\":true,.*"
                                + "\\{\"allowed\":true,\"retry_after_us\":0,\"delay_us\":0,\"violated\":\\[],\"results\":\\[]}]}");
    }

    @Test
    void batch_ofAThousand_isDecided() {
        HttpResponse<String> response =
                site.post("/v1/check:batch", checks(1000, "{\"attributes\":{\"tenant\":\"b\"}}"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(allowed(response)).isEqualTo(3);
    }

    @Test
    void batch_ofMore_isRefused() {
        HttpResponse<String> response =
                site.post("/v1/check:batch", checks(1001, "{\"attributes\":{\"tenant\":\"c\"}}"));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("more than 1000 checks (expected: at most 1000)");
        assertThat(site.post("/v1/check", "{\"attributes\":{\"tenant\":\"c\"},\"permits\":0}")
                        .body())
                .contains("\"remaining\":3,");
    }

    @Test
    void batch_withAnInvalidCheck_chargesNothing() {
        String good = "{\"attributes\":{\"tenant\":\"d\"}}";
        HttpResponse<String> response = site.post(
                "/v1/check:batch",
                "{\"checks\":[" + good + "," + good + ",{\"attributes\":{\"tenant\":\"d\"},\"permits\":1e3}]}");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("checks[2].permits is 1e3 (expected: a whole number from 0 to");
        assertThat(site.post("/v1/check", "{\"attributes\":{\"tenant\":\"d\"},\"permits\":0}")
                        .body())
                .contains("\"remaining\":3,");
    }

    @Test
    void batch_ofNone_isEmpty() {
        assertThat(site.post("/v1/check:batch", "{\"checks\":[]}").body()).isEqualTo("{\"decisions\":[]}");
    }
}
