package io.sluice.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.TestServer;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The files of the web page. */
class DashboardFilesTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.open();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("none");
    }

    @Test
    void files_areAllThere_withTypesAndTags() {
        for (String file : DashboardRoutes.FILES) {
            HttpResponse<String> response = server.send(server.request("/dashboard/" + file));

            assertThat(response.statusCode()).as(file).isEqualTo(200);
            assertThat(response.body()).as(file).isNotEmpty();
            assertThat(header(response, "Content-Type")).as(file).isNotEqualTo("application/octet-stream");
            assertThat(header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(server.send(server.request("/dashboard/" + file)
                                    .header("If-None-Match", header(response, "ETag")))
                            .statusCode())
                    .isEqualTo(304);
        }
    }

    @Test
    void page_isHtmlWithAStrictPolicy_andNothingInline() {
        HttpResponse<String> response = server.send(server.request("/"));

        assertThat(header(response, "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(response, "Content-Security-Policy"))
                .contains("script-src 'self'")
                .doesNotContain("unsafe");
        assertThat(response.body()).doesNotContain("<style", "style=", "onclick", "http:", "https:");
        assertThat(response.body().split("<script ", -1)).hasSize(4);
        assertThat(response.body()).doesNotContain("<script>");
    }

    @Test
    void files_areCompressed_onlyForThoseWhoCanReadIt() {
        assertThat(encoding("gzip, deflate, br")).isEqualTo("gzip");
        assertThat(encoding("br")).isEqualTo("none");
        assertThat(encoding("gzip;q=0")).isEqualTo("none");
    }

    private static String encoding(String accepted) {
        return header(
                server.send(server.request("/dashboard/app.css").header("Accept-Encoding", accepted)),
                "Content-Encoding");
    }
}
