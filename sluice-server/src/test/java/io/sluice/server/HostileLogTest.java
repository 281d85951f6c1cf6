package io.sluice.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.logging.Logging;
import io.sluice.server.wire.Http2Client;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever clients send to any port, however often: the log has few lines about it and no stack trace. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostileLogTest {
    /** The number of connections for each kind of bytes and each port. */
    private static final int TIMES = 30;

    /** More lines than these bytes can cause; far fewer than there are connections. */
    private static final int FEW = 20;

    private static final List<String> BYTES = List.of(
            "\u0016\u0003\u0001\u0000\u0005hello",
            "\u0016\u0003\u0001\u00ff\u00ff\u0001\u0000",
            "\u0015\u0003\u0003\u0000\u0002\u0002(",
            "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
            "GET /\u0000 HTTP/9.9\r\n\r\n",
            "POST /v1/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: ?\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nnot a frame of any kind",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0\0\0\4\1\5\0\0\0\1\u00ff\u00ff\u00ff\u00ff",
            "*3\r\n$-7\r\n",
            "*1000000000\r\n$1\r\na\r\n",
            "AUTH \"\r\n",
            "CL.THROTTLE\r\n");

    @TempDir
    Path directory;

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @BeforeEach
    void logHere() {
        Logging.to(new PrintStream(log, true, UTF_8), false);
    }

    @AfterEach
    void logAsBefore() throws IOException {
        LogManager.getLogManager().readConfiguration();
    }

    private void assertQuiet() {
        List<String> lines = log.toString(UTF_8).lines().toList();
        assertThat(lines).noneMatch(line -> line.startsWith("    at ") || line.startsWith("     at "));
        assertThat(lines.stream().filter(line -> !line.contains(" INFO ")).toList())
                .hasSizeLessThan(FEW);
    }

    private static void sendAll(int port) throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < TIMES; i++) {
            for (String bytes : BYTES) {
                send(port, bytes.getBytes(ISO_8859_1), i % 3);
            }
            byte[] noise = new byte[200];
            random.nextBytes(noise);
            send(port, noise, i % 3);
        }
    }

    /** @param end 0 waits until the server closes, 1 closes, 2 resets the connection */
    private static void send(int port, byte[] bytes, int end) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            try {
                socket.getOutputStream().write(bytes);
                if (end == 0) {
                    socket.shutdownOutput();
                    socket.getInputStream().readAllBytes();
                } else if (end == 2) {
                    socket.setSoLinger(true, 0);
                }
            } catch (IOException e) {
                // The server closed the connection before.
            }
        }
    }

    @Test
    void bytes_onThePlainPorts_makeFewLines() throws Exception {
        try (SluiceServer server =
                SluiceServer.start(ServerConfig.builder().port(0).respPort(0).build())) {
            sendAll(server.port());
            sendAll(server.respPort());
            assertLives(HttpClient.newHttpClient(), "http://127.0.0.1:" + server.port());
        }
        assertQuiet();
    }

    @Test
    void bytes_onTheTlsPorts_makeFewLines() throws Exception {
        Certificate made = Certificate.make(directory, "EC");
        try (SluiceServer server = SluiceServer.start(ServerConfig.builder()
                .port(0)
                .respPort(0)
                .tls(made.certificate(), made.key())
                .build())) {
            sendAll(server.port());
            sendAll(server.respPort());
            assertLives(
                    HttpClient.newBuilder().sslContext(made.trusting()).build(), "https://127.0.0.1:" + server.port());
        }
        assertQuiet();
    }

    private static void assertLives(HttpClient client, String server) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server + "/healthz")).build();
        assertThat(client.send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
    }

    /** Vert.x throws when unsent trailers are dropped, and Netty logs it. */
    @Test
    void calls_cancelledWhileTheirResponsesAreUnsent_makeOneLine() {
        try (SluiceServer server =
                SluiceServer.start(ServerConfig.builder().port(0).respPort(-1).build())) {
            try (Http2Client wire = new Http2Client(server.port())) {
                wire.window(0);
                byte[] nothing = ByteBuffer.allocate(5).array();
                for (int stream = 1; stream < 200; stream += 2) {
                    wire.post(stream, "/grpc.health.v1.Health/Check", "application/grpc", nothing)
                            .send()
                            .awaitHead(stream);
                    wire.cancel(stream);
                }
                wire.window(65_535)
                        .post(201, "/grpc.health.v1.Health/Check", "application/grpc", nothing)
                        .send();
                assertThat(wire.readsResponse(201)).isTrue();
            }
        }
        assertQuiet();
        assertThat(log.toString(UTF_8).lines().filter(line -> line.contains(" WARN ")))
                .singleElement()
                .asString()
                .contains("io.sluice.server.peers: ");
    }

    @Test
    void failureOfThisProgram_isLoggedOnce_withItsStackTrace() {
        Vertx vertx = Vertx.vertx();
        try {
            Context context = vertx.getOrCreateContext();
            for (int i = 0; i < 100; i++) {
                context.runOnContext(unused -> {
                    throw new IllegalStateException("a mistake of our own");
                });
            }
            CompletableFuture<Void> done = new CompletableFuture<>();
            context.runOnContext(unused -> done.complete(null));
            done.join();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
        String told = log.toString(UTF_8);
        assertThat(told).containsOnlyOnce("a mistake of our own");
        assertThat(told).contains(" at io.sluice.server.HostileLogTest.");
    }
}
