package io.sluice.cli.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that do not read their responses, beside an honest client. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostileHttpIT {
    /** A small heap. The limit of direct memory is then the same size. */
    private static final Map<String, String> SMALL = Map.of("_JAVA_OPTIONS", "-Xmx160m -XX:+ExitOnOutOfMemoryError");

    /** The heap, other memory of the JVM, and less than half of the direct memory. */
    private static final long RESIDENT_KB = 350_000;

    private static final byte[] BATCH = ("{\"checks\":["
                    + String.join(",", Collections.nCopies(1000, "{\"attributes\":{\"tenant\":\"x\"}}"))
                    + "]}")
            .getBytes(US_ASCII);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private void assertServed(ServerProcess server) throws IOException, InterruptedException {
        HttpRequest check = HttpRequest.newBuilder(server.uri("/v1/check"))
                .POST(BodyPublishers.ofString("{\"attributes\":{\"tenant\":\"honest\"}}"))
                .build();
        assertThat(client.send(check, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    }

    private double metric(ServerProcess server, String name) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(server.uri("/metrics")).build(), BodyHandlers.ofLines())
                .body()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private void assertFits(ServerProcess server) throws IOException, InterruptedException {
        assertThat(metric(server, "sluice_http_held_bytes ")).isLessThan(metric(server, "sluice_http_held_bytes_max "));
        assertThat(server.residentKb()).isLessThan(RESIDENT_KB);
    }

    private void assertNothingIsHeldAfter(ServerProcess server) {
        Eventually.await("nothing is held", () -> {
            try {
                return metric(server, "sluice_http_held_bytes ") == 0;
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void http2(int take) throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start(SMALL, "--idle-timeout", "2s")) {
            List<NonReadingHttp2Client> hostile = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                hostile.add(new NonReadingHttp2Client(server.port(), BATCH, take));
            }
            // Until the server has reset 20 unread responses of each client.
            for (int rounds = 0; rounds < 20 || hostile.stream().anyMatch(one -> one.resets() < 20); rounds++) {
                for (NonReadingHttp2Client one : hostile) {
                    one.exchange();
                }
                assertServed(server);
            }
            assertFits(server);
            for (NonReadingHttp2Client one : hostile) {
                assertThat(one.heads()).isGreaterThan(0);
                one.close();
            }
            assertNothingIsHeldAfter(server);
        }
    }

    @Test
    void http2_thatTakesNothing_holdsLittle_andNotForLong() throws IOException, InterruptedException {
        http2(0);
    }

    @Test
    void http2_thatTakesALittle_holdsLittle_andNotForLong() throws IOException, InterruptedException {
        http2(1000);
    }

    @Test
    void http1_thatNeverReads_holdsLittle_andNotForLong() throws IOException, InterruptedException {
        byte[] ask = (new String(head("/v1/check:batch", BATCH.length), US_ASCII) + new String(BATCH, US_ASCII))
                .getBytes(US_ASCII);
        neverRead(ask);
    }

    @Test
    void http1_thatPipelinesAndNeverReads_holdsLittle_andNotForLong() throws IOException, InterruptedException {
        neverRead("GET / HTTP/1.1\r\n\r\n".repeat(3000).getBytes(US_ASCII));
    }

    private static byte[] head(String path, int length) {
        return ("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n").getBytes(US_ASCII);
    }

    private void neverRead(byte[] ask) throws IOException, InterruptedException {
        List<SocketChannel> hostile = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(SMALL)) {
            for (int i = 0; i < 600; i++) {
                SocketChannel one = SocketChannel.open();
                one.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
                one.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
                one.configureBlocking(false);
                hostile.add(one);
            }
            // Until the server has closed most of the connections.
            List<ByteBuffer> rests = new ArrayList<>(Collections.nCopies(hostile.size(), ByteBuffer.allocate(0)));
            int open = hostile.size();
            while (open > hostile.size() / 10) {
                open = 0;
                for (int i = 0; i < hostile.size(); i++) {
                    open += asks(hostile.get(i), rests, i, ask) ? 1 : 0;
                }
                assertServed(server);
                assertThat(server.residentKb()).isLessThan(RESIDENT_KB);
            }
            assertFits(server);
            assertThat(metric(server, "sluice_http_dropped_total")).isGreaterThan(0);
            for (SocketChannel one : hostile) {
                one.close();
            }
            assertNothingIsHeldAfter(server);
        } finally {
            for (SocketChannel one : hostile) {
                one.close();
            }
        }
    }

    /** Sends as much as the connection takes. Returns whether the connection is still open. */
    private static boolean asks(SocketChannel one, List<ByteBuffer> rests, int index, byte[] ask) {
        try {
            int sent;
            do {
                if (!rests.get(index).hasRemaining()) {
                    rests.set(index, ByteBuffer.wrap(ask));
                }
                sent = one.write(rests.get(index));
            } while (sent > 0);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** A second request has the same time limit as the first. The idle timeout does not apply to it. */
    @Test
    void secondRequest_thatDoesNotCome_isClosed_beforeAnIdleConnectionIs() throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start("--idle-timeout", "50s");
                Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port());
                Socket idle = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            for (Socket one : List.of(idle, slow)) {
                one.setSoTimeout(60_000);
                ask(one);
            }
            slow.getOutputStream().write("POST /v1/check HTTP/1.1\r\nX: ".getBytes(US_ASCII));

            // The speed of the client. Nothing is measured by it.
            slow.setSoTimeout(500);
            while (dribbles(slow)) {
                assertServed(server);
            }

            ask(idle);
        }
    }

    private static void ask(Socket one) throws IOException {
        OutputStream out = one.getOutputStream();
        out.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("}") < 0) {
            int next = one.getInputStream().read();
            assertThat(next).as("after " + answer).isNotNegative();
            answer.append((char) next);
        }
        assertThat(answer).startsWith("HTTP/1.1 200");
    }

    private static boolean dribbles(Socket slow) {
        try {
            slow.getOutputStream().write('x');
            return slow.getInputStream().read() >= 0;
        } catch (java.net.SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
