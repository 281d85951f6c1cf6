package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.RawConnection;
import io.sluice.server.TestServer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HttpEdgesTest {
    private static final String CHECK = RawConnection.check("{\"attributes\":{}}");

    private static TestServer site;

    @BeforeAll
    static void open() {
        site = TestServer.open();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    @Test
    void bodyWithALargeContentLength_isRefusedBeforeItIsRead() {
        try (RawConnection wire = site.wire()) {
            assertThat(wire.send("POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 413 ")
                    .contains("application/problem+json", "expected: at most 65536 bytes")
                    .containsIgnoringCase("connection: close");
        }
    }

    @Test
    void bodyThatGrowsTooLarge_isRefused() {
        try (RawConnection wire = site.wire()) {
            wire.send("POST /v1/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            wire.send("10001\r\n" + "x".repeat(65537) + "\r\n");

            assertThat(wire.answer()).startsWith("HTTP/1.1 413 ");
            wire.send("0\r\n\r\n");
            assertThat(wire.rest()).isEmpty();
        }
    }

    @Test
    void bodyOfTheMaximumSize_isRead() {
        String body = "{\"attributes\":{}}" + " ".repeat(65536 - 17);

        assertThat(site.post("/v1/check", body).statusCode()).isEqualTo(200);
        assertThat(site.post("/v1/check", body + " ").statusCode()).isEqualTo(413);
    }

    @Test
    void tooLargeBody_inHttp2_isRefused() {
        HttpResponse<String> response = http2(BodyPublishers.ofString(" ".repeat(65537)));

        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(http2(BodyPublishers.ofString("{\"attributes\":{}}")).statusCode())
                .isEqualTo(200);
    }

    private static HttpResponse<String> http2(BodyPublisher body) {
        return site.send(
                site.request("/v1/check").version(HttpClient.Version.HTTP_2).POST(body));
    }

    @Test
    void http2_byUpgrade_works() {
        HttpResponse<String> response = http2(BodyPublishers.ofString("{\"attributes\":{}}"));

        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(response.body()).startsWith("{\"allowed\":true,");
    }

    @Test
    void http2_byPriorKnowledge_works() {
        try (RawConnection wire = site.wire()) {
            // The preface and an empty SETTINGS frame.
            wire.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");

            assertThat(wire.read(9).charAt(3)).isEqualTo('\4');
        }
    }

    @Test
    void tooLargeHeaders_areRefused() {
        try (RawConnection wire = site.wire()) {
            assertThat(wire.send("GET /openapi.yaml HTTP/1.1\r\nX: " + "x".repeat(16_500) + "\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 431 ")
                    .contains("application/problem+json");
        }
        try (RawConnection wire = site.wire()) {
            assertThat(wire.send("GET /openapi.yaml HTTP/1.1\r\nX: " + "x".repeat(16_000) + "\r\n\r\n")
                            .answer())
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void tooLongRequestLine_isRefused() {
        try (RawConnection wire = site.wire()) {
            assertThat(wire.send("GET /" + "x".repeat(16_500) + " HTTP/1.1\r\n\r\n")
                            .answer())
                    .matches("(?s)HTTP/1.[01] 414 .*");
        }
    }

    @Test
    void expectation_isContinued_unlessTheBodyIsTooLarge() {
        try (RawConnection wire = site.wire()) {
            String head = "POST /v1/check HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ";

            assertThat(wire.send(head + "17\r\n\r\n").answer()).startsWith("HTTP/1.1 100 ");
            assertThat(wire.send("{\"attributes\":{}}").answer()).startsWith("HTTP/1.1 200 ");
            assertThat(wire.send(head + "65537\r\n\r\n").answer()).startsWith("HTTP/1.1 413 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello\r\n\r\n",
                "GET\r\n\r\n",
                "GET / HTTP/1.1\r\nno colon\r\n\r\n",
                "POST /v1/check HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                "POST /v1/check HTTP/1.1\r\nContent-Length: x\r\n\r\n",
                "POST /v1/check HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"
            })
    void malformedRequest_isRefused_andTheConnectionCloses(String request) {
        try (RawConnection wire = site.wire()) {
            assertThat(wire.send(request).rest())
                    .matches("(?s)HTTP/1.[01] 400 .*")
                    .contains("application/problem+json", "not HTTP")
                    .containsOnlyOnce("HTTP/1.");
        }
    }

    @Test
    void malformedChunk_closesTheConnection() {
        try (RawConnection wire = site.wire()) {
            wire.send("POST /v1/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");

            assertThat(wire.rest()).doesNotContain("200");
        }
    }

    @Test
    void pipelinedRequests_areAnsweredInOrder() {
        try (RawConnection wire = site.wire()) {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                all.append(RawConnection.check("{\"attributes\":{\"tenant\":\"p" + i + "\"}}"));
                all.append("GET /nope").append(i).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            wire.send(all.toString());

            for (int i = 0; i < 200; i++) {
                assertThat(wire.answer()).contains("\"tenant\":\"p" + i + "\"");
                assertThat(wire.answer()).contains("/nope" + i + "\"");
            }
        }
    }

    /** The client must not fill the memory of the server with responses: the server stops reading. */
    @Tag("slow")
    @Test
    void clientThatDoesNotRead_isSlowedDown() {
        try (RawConnection wire = site.wire()) {
            byte[] many = CHECK.repeat(100).getBytes(StandardCharsets.ISO_8859_1);
            int asked = 100 * 2000;
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 2000; i++) {
                    wire.send(many);
                }
            });

            assertThatThrownBy(() -> sending.get(5, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            for (int i = 0; i < asked; i++) {
                assertThat(wire.answer()).startsWith("HTTP/1.1 200 ");
            }
            sending.join();
        }
    }

    @Test
    void head_hasTheHeadersOfGet() {
        try (RawConnection wire = site.wire()) {
            wire.send("HEAD /openapi.yaml HTTP/1.1\r\nHost: x\r\n\r\nGET /nope HTTP/1.1\r\nHost: x\r\n\r\n");

            assertThat(wire.head()).startsWith("HTTP/1.1 200 ").contains("application/yaml");
            assertThat(wire.answer()).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void options_listTheMethods_withoutCors() {
        HttpResponse<String> response = site.send(site.request("/v1/check")
                .header("Origin", "http://example.com")
                .method("OPTIONS", BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(response.headers().firstValue("Allow")).contains("OPTIONS, POST");
        assertThat(response.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control"));
    }

    @Test
    void unknownPathOrMethod_isAProblem() {
        assertThat(site.send(site.request("/nope")))
                .returns(404, HttpResponse::statusCode)
                .satisfies(response -> assertThat(response.body())
                        .isEqualTo("{\"title\":\"Not Found\",\"status\":404,\"detail\":\"no such resource: /nope\"}"));
        assertThat(site.send(site.request("/v1/check")))
                .returns(405, HttpResponse::statusCode)
                .satisfies(response ->
                        assertThat(response.headers().firstValue("Allow")).contains("OPTIONS, POST"));
        assertThat(site.send(site.request("/v1/explain").POST(BodyPublishers.ofString("{\"attributes\":{}}")))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void http10_isAnsweredAndClosed() {
        try (RawConnection wire = site.wire()) {
            assertThat(wire.send("GET /openapi.yaml HTTP/1.0\r\n\r\n").rest())
                    .startsWith("HTTP/1.0 200 ")
                    .endsWith("additionalProperties: false\n");
        }
    }
}
