package io.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** RESP clients that ask and never read, against a server with little memory. */
class RespFloodIT {
    private static final int MANY = 300;

    /** What each of them sends at most. */
    private static final int MOST_BYTES = 2 * 1024 * 1024;

    private static final int ROUNDS = 200;
    private static final String PASSWORD = "the-password-of-this-test";
    private static final Map<String, String> SMALL = Map.of(
            "_JAVA_OPTIONS",
            "-Xmx96m -XX:MaxDirectMemorySize=64m -XX:+ExitOnOutOfMemoryError",
            "SLUICE_RESP_PASSWORD",
            PASSWORD);

    /** A client that reads each reply before it asks again. */
    private static final class Honest implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;

        Honest(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(30_000);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
            assertThat(ask("AUTH " + PASSWORD)).isEqualTo("+OK");
        }

        String ask(String line) throws IOException {
            socket.getOutputStream().write((line + "\r\n").getBytes(US_ASCII));
            return in.readLine();
        }

        long processId() throws IOException {
            String line = ask("INFO");
            while (!line.startsWith("process_id:")) {
                line = in.readLine();
            }
            in.readLine();
            return Long.parseLong(line.substring("process_id:".length()));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** A client that never reads. */
    private static final class Deaf implements AutoCloseable {
        private final SocketChannel channel = SocketChannel.open();
        private final ByteBuffer bytes;
        private int left = MOST_BYTES;

        Deaf(int port, String first, byte[] again) throws IOException {
            // Small, so that what it does not read is soon the server's to keep.
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

    /** Kilobytes of the process, as {@code VmRSS} or {@code VmHWM}, the most there ever were. */
    private static long memory(long process, String what) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process + "/status")).stream()
                .filter(line -> line.startsWith(what + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    private static void assertSurvives(String first, byte[] again) throws IOException {
        List<Deaf> deaf = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(SMALL);
                Honest honest = new Honest(server.respPort())) {
            long before = memory(honest.processId(), "VmRSS");
            for (int i = 0; i < MANY; i++) {
                deaf.add(new Deaf(server.respPort(), first, again));
            }
            for (int round = 0; round < ROUNDS; round++) {
                deaf.forEach(Deaf::send);
                assertThat(honest.ask("PING x" + round))
                        .as("a reply, served: %s", server.log())
                        .isEqualTo("$" + ("x" + round).length());
                assertThat(honest.in.readLine()).isEqualTo("x" + round);
            }
            // All of a sixteenth of the memory, and what an event loop adds before it looks.
            assertThat(metric(server, "sluice_resp_kept_bytes")).isLessThan(8 * 1024 * 1024);
            assertThat(memory(honest.processId(), "VmHWM") - before)
                    .as("kB more than before")
                    .isLessThan(160 * 1024);
            // None of them stays: it does not read, or it never shows the password.
            Eventually.until("they are closed", () -> metric(server, "sluice_connections{listener=\"resp\"}") == 1);
            assertThat(metric(server, "sluice_resp_kept_bytes")).isZero();
            assertThat(server.log()).doesNotContain("OutOfMemoryError:", "Exception");
            assertThat(honest.ask("PING")).isEqualTo("+PONG");
        } finally {
            for (Deaf each : deaf) {
                each.close();
            }
        }
    }

    @Test
    void clientsWithThePassword_thatNeverRead_doNotKillIt() throws IOException {
        // Of nine bytes, answered with more than a thousand.
        byte[] commands = "COMMAND\r\n".repeat(10_000).getBytes(US_ASCII);
        assertSurvives("AUTH " + PASSWORD + "\r\n", commands);
    }

    @Test
    void clientsWithoutThePassword_thatNeverRead_doNotKillIt() throws IOException {
        assertSurvives("", "PING\r\n".repeat(10_000).getBytes(US_ASCII));
    }

    @Test
    void clientsWithoutThePassword_thatSayNothing_doNotStay() throws IOException {
        List<Deaf> silent = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(SMALL, "--resp-auth-timeout", "1s");
                Honest honest = new Honest(server.respPort())) {
            for (int i = 0; i < MANY; i++) {
                silent.add(new Deaf(server.respPort(), "", new byte[0]));
            }
            Eventually.until("they are closed", () -> metric(server, "sluice_resp_closed_total") >= MANY);
            assertThat(metric(server, "sluice_connections{listener=\"resp\"}")).isEqualTo(1);
            assertThat(honest.ask("PING")).isEqualTo("+PONG");
        } finally {
            for (Deaf each : silent) {
                each.close();
            }
        }
    }
}
