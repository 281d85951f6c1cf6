package io.sluice.server.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.server.resp.RespLimits.Reason;
import io.sluice.server.wire.RespClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The bytes that all RESP connections together keep. */
class RespMemoryTest {
    private static final String NO_POLICIES = "version: 1\npolicies: []\n";
    private static final long MOST = 1024 * 1024;
    private static final int MANY = 100;

    /** The bytes that one connection may add before it is closed: a read, an incomplete command, and replies. */
    private static final long SLACK = 256 * 1024;

    private final List<SocketChannel> hostile = new ArrayList<>();

    private static RespServer server(Duration patience) {
        return new RespServer(MemoryStore.create(), NO_POLICIES, null, patience, Duration.ofMinutes(1), MOST);
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel each : hostile) {
            each.close();
        }
    }

    private void connect(RespServer server) throws IOException {
        SocketChannel channel = SocketChannel.open();
        // Small, so that the server must soon buffer its replies.
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        channel.configureBlocking(false);
        hostile.add(channel);
    }

    /** Sends as much as the server reads, again and again, until the server closes the connection. */
    private void flood(RespServer server, byte[] bytes, BooleanSupplier enough) throws IOException {
        for (int i = 0; i < MANY; i++) {
            connect(server);
        }
        List<ByteBuffer> left =
                hostile.stream().map(each -> ByteBuffer.wrap(bytes)).toList();
        try (RespClient honest = server.connect()) {
            long start = System.nanoTime();
            for (int round = 0; !enough.getAsBoolean(); round++) {
                for (int i = 0; i < MANY; i++) {
                    send(hostile.get(i), left.get(i));
                }
                assertThat(server.limits.keptBytes()).isLessThan(MOST + SLACK);
                assertThat(honest.call("ECHO", "" + round)).isEqualTo("" + round);
                assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(60_000_000_000L);
            }
        }
    }

    private static void send(SocketChannel channel, ByteBuffer left) {
        try {
            channel.write(left);
            if (!left.hasRemaining()) {
                left.rewind();
            }
        } catch (IOException e) {
            // The server closed the connection, as expected.
        }
    }

    private static void await(BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).as("nanoseconds").isLessThan(60_000_000_000L);
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void clientsThatNeverRead_keepNoMoreThanTheBudget_andOthersAreServed() throws IOException {
        byte[] echo = RespClient.command("ECHO", "x".repeat(60_000)).getBytes(ISO_8859_1);
        try (RespServer server = server(Duration.ofMinutes(1))) {
            flood(server, echo, () -> server.limits.closed(Reason.MEMORY) > MANY / 2);
            close();
            await(() -> server.limits.keptBytes() == 0);
        }
    }

    @Test
    void incompleteCommands_keepNoMoreThanTheBudget_andOthersAreServed() throws IOException {
        byte[] half = ("*1000\r\n" + "$55\r\n" + "x".repeat(55) + "\r\n").getBytes(ISO_8859_1);
        byte[] most = new byte[60_000];
        for (int i = 0; i < most.length; i++) {
            most[i] = i < 7 ? half[i] : half[7 + (i - 7) % (half.length - 7)];
        }
        try (RespServer server = server(Duration.ofMinutes(1))) {
            for (int i = 0; i < MANY; i++) {
                connect(server);
            }
            try (RespClient honest = server.connect()) {
                for (SocketChannel each : hostile) {
                    ByteBuffer left = ByteBuffer.wrap(most);
                    await(() -> {
                        send(each, left);
                        return left.position() == 0;
                    });
                    assertThat(server.limits.keptBytes()).isLessThan(MOST + SLACK);
                    assertThat(honest.call("PING")).isEqualTo("PONG");
                }
                await(() -> server.limits.closed(Reason.MEMORY) > MANY / 2);
                assertThat(honest.call("PING")).isEqualTo("PONG");
            }
        }
    }

    @Test
    void clientsThatNeverRead_areClosedInTime() throws IOException {
        try (RespServer server = server(Duration.ofMillis(100))) {
            byte[] commands = "COMMAND\r\n".repeat(2000).getBytes(ISO_8859_1);
            flood(server, commands, () -> server.limits.closed(Reason.UNREAD) > 0);
            await(() -> server.limits.closed(Reason.UNREAD) + server.limits.closed(Reason.MEMORY) == MANY);
            await(() -> server.limits.keptBytes() == 0);
        }
    }

    @Test
    void incompleteCommand_afterOneWithManyArguments_keepsOnlyItsOwnBytes() throws IOException {
        try (RespServer server = server(Duration.ofMinutes(1));
                RespClient client = server.connect();
                RespClient other = server.connect()) {
            String[] many = new String[1024];
            java.util.Arrays.fill(many, "x");
            assertThat(client.call(many)).asString().startsWith("-ERR unknown command");
            // The reply may come a moment before the server has updated its count.
            await(() -> server.limits.keptBytes() == 0);
            client.send("*2\r\n$4\r\nECHO\r\n");
            await(() -> server.limits.keptBytes() > 0);
            assertThat(server.limits.keptBytes()).isLessThan(1024);
            assertThat(other.call("PING")).isEqualTo("PONG");
        }
    }
}
