package io.sluice.cli.serve;

import static io.sluice.cli.serve.EnvoyClient.descriptor;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The server answers any input or closes that connection, and continues to work. */
class RlsFuzzIT {
    /** The allowed statuses for an invalid message. */
    private static final Set<Status.Code> REFUSALS =
            Set.of(Status.Code.INVALID_ARGUMENT, Status.Code.RESOURCE_EXHAUSTED, Status.Code.INTERNAL);

    private static final int PATIENCE_MILLIS = 30_000;

    private final ServerProcess server = ServerProcess.start();
    private final EnvoyClient envoy = new EnvoyClient(server);

    @AfterEach
    void stop() {
        envoy.close();
        server.close();
    }

    private static RateLimitRequest request() {
        return EnvoyClient.request(
                descriptor("tenant", "acme", 1), descriptor("path", "/login", 3), descriptor("a", "é".repeat(100), 0));
    }

    private void assertAnswers() {
        assertThat(envoy.ask(descriptor("fresh", "yes", 0)).getOverallCode()).isEqualTo(Code.OK);
        assertThat(server.log()).doesNotContain("Exception").doesNotContain("Error");
    }

    @Test
    void messages_thatAreBroken_areRefusedOrDecided() {
        Random random = new Random(1);
        byte[] whole = request().toByteArray();
        int refused = 0;
        for (int i = 0; i < 600; i++) {
            try {
                envoy.askRaw(ByteString.copyFrom(broken(whole, random)));
            } catch (StatusRuntimeException e) {
                assertThat(REFUSALS).contains(e.getStatus().getCode());
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(100);
        assertAnswers();
    }

    @Test
    void connections_thatAreBroken_endAndNothingElseDoes() throws IOException {
        Random random = new Random(2);
        byte[] whole = connection(request().toByteArray());
        for (int i = 0; i < 400; i++) {
            byte[] sent = broken(whole, random);
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                socket.setSoTimeout(PATIENCE_MILLIS);
                OutputStream out = socket.getOutputStream();
                out.write(sent);
                socket.shutdownOutput();
                // Until the server closes the connection.
                socket.getInputStream().readAllBytes();
            } catch (SocketException e) {
                // The server closed the connection before all was written.
                assertThat(e.getMessage()).containsAnyOf("reset", "Broken pipe");
            }
        }
        assertAnswers();
    }

    /** Bytes with one random damage: cut off, changed, doubled or inserted. */
    private static byte[] broken(byte[] whole, Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = random.nextInt(whole.length);
        int length = Math.min(whole.length - at, 1 + random.nextInt(16));
        out.write(whole, 0, at);
        switch (random.nextInt(5)) {
            case 0 -> {}
            case 1 -> out.write(whole, at + length, whole.length - at - length);
            case 2 -> {
                out.write(whole, at, length);
                out.write(whole, at, whole.length - at);
            }
            case 3 -> {
                byte[] noise = new byte[length];
                random.nextBytes(noise);
                out.write(noise, 0, length);
                out.write(whole, at, whole.length - at);
            }
            default -> {
                byte[] changed = whole.clone();
                for (int i = 0; i < length; i++) {
                    changed[at + random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
                }
                out.write(changed, at, whole.length - at);
            }
        }
        return out.toByteArray();
    }

    /** All bytes of one call: preface, settings, headers, and the message in two frames. */
    private static byte[] connection(byte[] message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
        frame(out, 4, 0, 0, new byte[0]);
        ByteArrayOutputStream headers = new ByteArrayOutputStream();
        header(headers, ":method", "POST");
        header(headers, ":scheme", "http");
        header(headers, ":path", "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit");
        header(headers, ":authority", "localhost");
        header(headers, "content-type", "application/grpc");
        header(headers, "te", "trailers");
        frame(out, 1, 4, 1, headers.toByteArray());
        byte[] prefix = {0, 0, 0, (byte) (message.length >> 8), (byte) message.length};
        frame(out, 0, 0, 1, prefix);
        frame(out, 0, 1, 1, message);
        return out.toByteArray();
    }

    private static void frame(ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
        out.writeBytes(new byte[] {
            0, (byte) (payload.length >> 8), (byte) payload.length, (byte) type, (byte) flags, 0, 0, 0, (byte) stream
        });
        out.writeBytes(payload);
    }

    /** A literal header field without an index. */
    private static void header(ByteArrayOutputStream out, String name, String value) {
        out.write(0);
        out.write(name.length());
        out.writeBytes(name.getBytes(US_ASCII));
        out.write(value.length());
        out.writeBytes(value.getBytes(US_ASCII));
    }
}
