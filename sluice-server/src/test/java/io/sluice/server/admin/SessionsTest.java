package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualTime;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of a session. */
class SessionsTest {
    private final Vertx vertx = Vertx.vertx();
    private final ManualTime time = new ManualTime();
    private final Sessions sessions = new Sessions("token", true, time);
    private HttpServer server;

    @BeforeEach
    void listen() {
        server = vertx.createHttpServer()
                .requestHandler(this::handle)
                .listen(0, "127.0.0.1")
                .await();
    }

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private void handle(HttpServerRequest request) {
        if (request.path().equals("/start")) {
            sessions.start(request);
        } else if (request.path().equals("/end")) {
            sessions.end(request);
        }
        request.response().end(String.valueOf(sessions.find(request) != null));
    }

    private HttpResponse<String> get(String path, String cookie) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + path))
                                .header("Cookie", cookie)
                                .build(),
                        BodyHandlers.ofString());
    }

    private String start() throws Exception {
        return get("/start", "a=b").headers().firstValue("Set-Cookie").orElseThrow();
    }

    @Test
    void session_lastsTwelveHours() throws Exception {
        String cookie = start().replaceAll(";.*", "");
        time.advance(Sessions.LIFE.minusSeconds(1));
        assertThat(get("/", cookie).body()).isEqualTo("true");
        time.advance(Duration.ofSeconds(1));
        assertThat(get("/", cookie).body()).isEqualTo("false");
    }

    @Test
    void cookie_underTls_isSecureAndOfThisHostOnly() throws Exception {
        assertThat(start()).startsWith("__Host-sluice-").contains("Secure").doesNotContain("Domain");
    }

    @Test
    void sessions_areDifferent() throws Exception {
        assertThat(start()).isNotEqualTo(start());
    }

    @Test
    void endedSessions_areBounded_andTheLatestAreKnown() throws Exception {
        String cookie = start().replaceAll(";.*", "");
        get("/end", cookie);
        for (int i = 0; i < Sessions.MAX_ENDED - 1; i++) {
            sessions.rememberEnded(ByteBuffer.wrap(new byte[] {(byte) i, (byte) (i >> 8)}));
        }
        assertThat(get("/", cookie).body()).isEqualTo("false");
        sessions.rememberEnded(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(get("/", cookie).body()).isEqualTo("true");
    }
}
