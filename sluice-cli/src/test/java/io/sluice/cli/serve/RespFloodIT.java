package io.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.wire.RespClient;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** RESP clients that send commands and never read, against a server with little memory. */
class RespFloodIT {
    private static final int MANY = 300;

    /** The maximum that each client sends. */
    private static final int MOST_BYTES = 2 * 1024 * 1024;

    private static final int ROUNDS = 200;
    private static final String PASSWORD = "the-password-of-this-test";
    private static final Map<String, String> SMALL = Map.of(
            "_JAVA_OPTIONS",
            "-Xmx96m -XX:MaxDirectMemorySize=64m -XX:+ExitOnOutOfMemoryError",
            "SLUICE_RESP_PASSWORD",
            PASSWORD);

    private static RespClient honestClient(ServerProcess server) {
        RespClient client = new RespClient(server.respPort());
        assertThat(client.call("AUTH", PASSWORD)).isEqualTo("OK");
        return client;
    }

    private static long processId(RespClient client) {
        return String.valueOf(client.call("INFO"))
                .lines()
                .filter(line -> line.startsWith("process_id:"))
                .mapToLong(line -> Long.parseLong(line.substring("process_id:".length())))
                .findFirst()
                .orElseThrow();
    }

    /** A client that never reads. */
    private static final class NonReadingClient implements AutoCloseable {
        private final SocketChannel channel = SocketChannel.open();
        private final ByteBuffer bytes;
        private int left = MOST_BYTES;

        NonReadingClient(int port, String first, byte[] again) throws IOException {
            // A small buffer, so that the server must soon keep the unread replies.
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.write(ByteBuffer.wrap(first.getBytes(US_ASCII)));
            channel.configureBlocking(false);
            bytes = ByteBuffer.wrap(again);
        }

        void send() {
            try {
                while (left > 0) {
                    int sent = channel.write(bytes);
                    if (sent == 0) {
                        return;
                    }
                    left -= sent;
                    if (!bytes.hasRemaining()) {
                        bytes.rewind();
                    }
                }
            } catch (IOException e) {
                // The server has closed it.
                left = 0;
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private static double metric(ServerProcess server, String name) {
        return Http.get(server, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** The memory of a process in kilobytes: {@code VmRSS} now, {@code VmHWM} at most. */
    private static long memory(long process, String what) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process + "/status")).stream()
                .filter(line -> line.startsWith(what + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    private static void assertSurvives(String first, byte[] again) throws IOException {
        List<NonReadingClient> hostile = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(SMALL);
                RespClient honest = honestClient(server)) {
            long before = memory(processId(honest), "VmRSS");
            for (int i = 0; i < MANY; i++) {
                hostile.add(new NonReadingClient(server.respPort(), first, again));
            }
            for (int round = 0; round < ROUNDS; round++) {
                hostile.forEach(NonReadingClient::send);
                assertThat(honest.call("PING", "x" + round))
                        .as("a reply; the log of the server: %s", server.log())
                        .isEqualTo("x" + round);
            }
            // A sixteenth of the memory, and what an event loop adds between two checks.
            assertThat(metric(server, "sluice_resp_kept_bytes")).isLessThan(8 * 1024 * 1024);
            assertThat(memory(processId(honest), "VmHWM") - before)
                    .as("kB more than before")
                    .isLessThan(160 * 1024);
            // The server closes all hostile connections: they do not read, or do not send the password.
            Eventually.await("they are closed", () -> metric(server, "sluice_connections{listener=\"resp\"}") == 1);
            assertThat(metric(server, "sluice_resp_kept_bytes")).isZero();
            assertThat(server.log()).doesNotContain("OutOfMemoryError:", "Exception");
            assertThat(honest.call("PING")).isEqualTo("PONG");
        } finally {
            for (NonReadingClient each : hostile) {
                each.close();
            }
        }
    }

    @Test
    void clientsWithThePassword_thatNeverRead_doNotKillIt() throws IOException {
        // A command of nine bytes with a reply of more than a thousand.
        byte[] commands = "COMMAND\r\n".repeat(10_000).getBytes(US_ASCII);
        assertSurvives("AUTH " + PASSWORD + "\r\n", commands);
    }

    @Test
    void clientsWithoutThePassword_thatNeverRead_doNotKillIt() throws IOException {
        assertSurvives("", "PING\r\n".repeat(10_000).getBytes(US_ASCII));
    }

    @Test
    void clientsWithoutThePassword_thatSayNothing_doNotStay() throws IOException {
        List<NonReadingClient> silent = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(SMALL, "--resp-auth-timeout", "1s");
                RespClient honest = honestClient(server)) {
            for (int i = 0; i < MANY; i++) {
                silent.add(new NonReadingClient(server.respPort(), "", new byte[0]));
            }
            Eventually.await("they are closed", () -> metric(server, "sluice_resp_closed_total") >= MANY);
            assertThat(metric(server, "sluice_connections{listener=\"resp\"}")).isEqualTo(1);
            assertThat(honest.call("PING")).isEqualTo("PONG");
        } finally {
            for (NonReadingClient each : silent) {
                each.close();
            }
        }
    }
}
