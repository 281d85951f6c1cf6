package io.sluice.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.RawConnection;
import io.sluice.server.TestServer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever a client sends, the server answers or closes the connection, and keeps working. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class HttpFuzzTest {
    private static final List<String> GOOD = List.of(
            RawConnection.check("{\"attributes\":{\"tenant\":\"acme\"},\"permits\":0}"),
            "GET /v1/auth?deny=403&permits=0 HTTP/1.1\r\nHost: x\r\nX-Forwarded-Uri: /a?b\r\nX-Sluice-Tenant: acme\r\n\r\n",
            "POST /v1/check:batch HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nd\r\n{\"checks\":[]}\r\n0\r\n\r\n",
            "HEAD /openapi.yaml HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0\0\0\4\1\5\0\0\0\1\u0082\u0086\u0084A");

    private static final List<String> SPLICES = List.of(
            "\r\n",
            "\r",
            "\n",
            "\0",
            " ",
            ":",
            "%",
            "%00",
            "..",
            "//",
            "\u00ff",
            "HTTP/1.1",
            "HTTP/2.0",
            "Content-Length: 9\r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Expect: 100-continue\r\n",
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
            "Upgrade: websocket\r\n",
            "ffffffff\r\n",
            "*",
            "http://x:y/",
            "[::1",
            "\t");

    private static byte[] mutated(Random random) {
        byte[] bytes = GOOD.get(random.nextInt(GOOD.size())).getBytes(ISO_8859_1);
        for (int changes = random.nextInt(4); changes >= 0; changes--) {
            int at = random.nextInt(bytes.length + 1);
            int end = at + random.nextInt(Math.min(6, bytes.length - at) + 1);
            byte[] splice = random.nextBoolean()
                    ? new byte[] {(byte) random.nextInt(256)}
                    : SPLICES.get(random.nextInt(SPLICES.size())).getBytes(ISO_8859_1);
            byte[] changed = Arrays.copyOf(bytes, at + splice.length + bytes.length - end);
            System.arraycopy(splice, 0, changed, at, splice.length);
            System.arraycopy(bytes, end, changed, at + splice.length, bytes.length - end);
            bytes = changed;
        }
        return bytes;
    }

    @Test
    void damagedRequest_isAnsweredOrClosed() {
        ConcurrentLinkedQueue<String> logged = new ConcurrentLinkedQueue<>();
        Handler log = new Handler() {
            @Override
            public void publish(LogRecord line) {
                boolean ours = line.getLoggerName().startsWith("io.sluice");
                if (line.getThrown() != null || (ours && line.getLevel().intValue() > Level.INFO.intValue())) {
                    logged.add(line.getLoggerName() + ": " + line.getMessage() + " " + line.getThrown());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger root = Logger.getLogger("");
        root.addHandler(log);
        try (TestServer site = TestServer.open()) {
            for (int seed = 0; seed < 600; seed++) {
                try (RawConnection wire = site.wire()) {
                    // Tells the server that no more bytes come, so that it closes.
                    wire.tries(mutated(new Random(seed)));
                    wire.endOutput();
                    assertThat(wire.rest()).as("seed %d", seed).doesNotContain("HTTP/1.1 500", "Exception", "io.vertx");
                }
            }
            assertThat(site.post("/v1/check", "{\"attributes\":{}}").statusCode())
                    .isEqualTo(200);
        } finally {
            root.removeHandler(log);
        }
        assertThat(logged).isEmpty();
    }
}
