package io.sluice.server.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.memory.MemoryStore;
import io.sluice.server.wire.RespClient;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespListenerTest {
    private static final String POLICIES = """
            version: 1
            policies:
              - name: per-tenant
                key: [tenant]
                limit: 2 per 1h
              - name: queue
                match: { queue: "yes" }
                limit: leaky-bucket 1 per 10s capacity 3
            """;

    private final RespServer server = new RespServer(MemoryStore.create(), POLICIES, null, Duration.ofMinutes(1));
    private final RespClient client = server.connect();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void check_namesThePoliciesThatDeny() {
        assertThat(client.call("SLUICE.CHECK", "1", "tenant", "acme")).isEqualTo(List.of(1L, 0L, 0L));
        assertThat(client.call("sluice.check", "1", "tenant", "acme")).isEqualTo(List.of(1L, 0L, 0L));
        List<?> denied = client.callForList("SLUICE.CHECK", "1", "tenant", "acme", "path", "/x");
        assertThat(denied.get(0)).isEqualTo(0L);
        assertThat((Long) denied.get(1)).isBetween(1L, 1_800_000_000L);
        assertThat(denied.subList(2, 4)).isEqualTo(List.of(0L, "per-tenant"));
        assertThat(client.call("SLUICE.CHECK", "3", "tenant", "other")).isEqualTo(List.of(0L, -1L, 0L, "per-tenant"));
        assertThat(client.call("SLUICE.CHECK", "0", "tenant", "other")).isEqualTo(List.of(1L, 0L, 0L));
        assertThat(client.call("SLUICE.CHECK", "1")).isEqualTo(List.of(1L, 0L, 0L));
        assertThat(client.call("SLUICE.CHARGE", "2", "tenant", "charged")).isEqualTo(List.of(1L, 0L, 0L));
        List<?> inDebt = client.callForList("SLUICE.CHARGE", "1", "tenant", "charged");
        assertThat(inDebt.get(0)).isEqualTo(0L);
        assertThat(inDebt.get(3)).isEqualTo("per-tenant");
    }

    @Test
    void check_ofALeakyBucket_hasTheDelay() {
        client.call("SLUICE.CHECK", "1", "queue", "yes");
        List<?> second = client.callForList("SLUICE.CHECK", "1", "queue", "yes");
        assertThat(second.get(0)).isEqualTo(1L);
        assertThat((Long) second.get(2)).isBetween(1L, 10_000_000L);
    }

    @Test
    void check_overTheBounds_isRefused() {
        String[] many = IntStream.range(0, 2 + 2 * 65)
                .mapToObj(i -> i == 0 ? "SLUICE.CHECK" : i == 1 ? "1" : "a" + i)
                .toArray(String[]::new);
        assertThat(client.call(many)).isEqualTo("-ERR 65 attributes (expected: at most 64)");
        assertThat(client.call("SLUICE.CHECK", "1", "a", "x".repeat(4097)))
                .isEqualTo("-ERR argument 3: 4097 bytes (expected: at most 4096)");
        assertThat(client.call("SLUICE.CHECK", "1", "a", "x".repeat(4096))).isEqualTo(List.of(1L, 0L, 0L));
        assertThat(client.call("SLUICE.CHECK", "1", "a", "x", "a", "y"))
                .isEqualTo("-ERR attribute a: said twice (expected: once)");
        assertThat(client.call("SLUICE.CHECK", "-1"))
                .isEqualTo("-ERR permits: -1 (expected: a whole number, at least 0)");
        assertThat(client.call("SLUICE.CHECK", "1", "a"))
                .isEqualTo("-ERR wrong number of arguments for 'sluice.check' command");
        client.send("*4\r\n$12\r\nSLUICE.CHECK\r\n$1\r\n1\r\n$1\r\na\r\n$1\r\n\u00ff\r\n");
        assertThat(client.read()).asString().startsWith("-ERR argument 3: ").endsWith(" (expected: UTF-8)");
    }

    @Test
    void pipeline_ofAllKinds_isAnsweredInOrder() {
        StringBuilder pipeline = new StringBuilder();
        for (int i = 0; i < 2000; i++) {
            pipeline.append(RespClient.command("ECHO", "" + i))
                    .append("PING ")
                    .append(i)
                    .append("\r\n")
                    .append(RespClient.command("CL.THROTTLE", "k", "10000", "1", "3600"));
        }
        client.send(pipeline.toString());
        for (int i = 0; i < 2000; i++) {
            assertThat(client.read()).isEqualTo("" + i);
            assertThat(client.read()).isEqualTo("" + i);
            assertThat(client.readList().get(2)).isEqualTo(10_000L - i);
        }
    }

    @Test
    void connectionCommandsOfClients_areAnswered() {
        assertThat(client.call("HELLO")).asString().startsWith("[server, sluice, version, 7.2.0, proto, 2, id, ");
        assertThat(client.call("CLIENT", "SETINFO", "lib-name", "x")).isEqualTo("OK");
        assertThat(client.call("CLIENT", "GETNAME")).isNull();
        assertThat(client.call("CLIENT", "SETNAME", "me")).isEqualTo("OK");
        assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("me");
        assertThat(client.call("CLIENT", "SETNAME", "a b")).asString().startsWith("-ERR ");
        assertThat(client.call("CLIENT", "ID")).isInstanceOf(Long.class);
        assertThat(client.call("CLIENT", "INFO")).asString().contains("name=me");
        assertThat(client.call("CLIENT", "WHAT")).asString().startsWith("-ERR unknown subcommand 'WHAT'");
        assertThat(client.call("SELECT", "0")).isEqualTo("OK");
        assertThat(client.call("SELECT", "1")).isEqualTo("-ERR DB index is out of range");
        assertThat(client.call("COMMAND", "COUNT")).isEqualTo(18L);
        assertThat(client.callForList("COMMAND")).hasSize(18);
        assertThat(client.callForList("COMMAND", "DOCS")).hasSize(36);
        assertThat(client.callForList("COMMAND", "INFO", "ping", "nothing"))
                .hasSize(2)
                .last()
                .isNull();
        String[] many = IntStream.range(0, 131)
                .mapToObj(i -> i == 0 ? "COMMAND" : "INFO")
                .toArray(String[]::new);
        assertThat(client.call(many)).isEqualTo("-ERR 129 commands (expected: at most 128)");
        assertThat(client.call("CONFIG", "GET", "save")).isEqualTo(List.of("save", ""));
        assertThat(client.call("CONFIG", "GET", "maxmemory")).isEqualTo(List.of());
        assertThat(client.call("INFO")).asString().contains("redis_version:7.2.0\r\n");
        assertThat(client.call("HELLO", "3", "SETNAME", "you")).asString().contains("proto, 3");
        assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("you");
        assertThat(client.call("RESET")).isEqualTo("RESET");
        assertThat(client.call("CLIENT", "GETNAME")).isNull();
        assertThat(client.call("QUIT")).isEqualTo("OK");
        assertThat(client.isEnded()).isTrue();
    }

    @Test
    void hello3_repliesWithMaps() {
        client.send("HELLO 3\r\nCLIENT GETNAME\r\nQUIT\r\n");
        assertThat(client.readAll())
                .startsWith("%7\r\n$6\r\nserver\r\n$6\r\nsluice\r\n")
                .endsWith("*0\r\n_\r\n+OK\r\n");
    }

    @Test
    void hello_invalid_isRefused() {
        assertThat(client.call("HELLO", "4")).isEqualTo("-NOPROTO unsupported protocol version");
        assertThat(client.call("HELLO", "x")).isEqualTo("-ERR Protocol version is not an integer or out of range");
        assertThat(client.call("HELLO", "3", "FOO")).isEqualTo("-ERR Syntax error in HELLO option 'FOO'");
    }

    @Test
    void unknownCommands_areNamed() {
        assertThat(client.call("FOO", "a", "b\r\nc"))
                .isEqualTo("-ERR unknown command 'FOO', with args beginning with: 'a' 'b  c' ");
        assertThat(client.call("ECHO")).isEqualTo("-ERR wrong number of arguments for 'echo' command");
        assertThat(client.call("PING", "a", "b")).isEqualTo("-ERR wrong number of arguments for 'ping' command");
        assertThat(client.call("PING", "a")).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*1\r\n$999999999\r\n",
                "*-5\r\n",
                "*1\r\n*1\r\n*1\r\n$4\r\nPING\r\n",
                "*1\r\n:1\r\n",
                "*99999999999999999999\r\n",
                "*1000000\r\n",
                "*1025\r\n",
                "*1\r\n$4\r\nPINGxx",
                "\"open\r\n",
                "\u0016\u0003\u0001\u0002",
            })
    void malformedCommand_afterValidOnes_isAnError_andTheConnectionCloses(String malformed) {
        client.send("PING\r\n" + malformed);
        assertThat(client.read()).isEqualTo("PONG");
        assertThat(client.read()).asString().startsWith("-ERR Protocol error: ");
        assertThat(client.isEnded()).isTrue();
        try (RespClient next = server.connect()) {
            assertThat(next.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void httpRequest_closesTheConnection() {
        client.send("POST / HTTP/1.1\r\nHost: x\r\n\r\nCL.THROTTLE k 1 1 1\r\n");
        assertThat(client.read()).asString().startsWith("-ERR unknown command 'POST'");
        assertThat(client.isEnded()).isTrue();
    }

    @Test
    void clientThatDoesNotRead_isNotReadEither_andLosesNothing() throws InterruptedException {
        byte[] echo = RespClient.command("ECHO", "x".repeat(60_000)).getBytes(ISO_8859_1);
        int count = 500;
        Thread sender = new Thread(() -> IntStream.range(0, count).forEach(i -> client.send(echo)));
        sender.start();
        try (RespClient other = server.connect()) {
            assertThat(other.call("PING")).isEqualTo("PONG");
        }
        for (int i = 0; i < count; i++) {
            assertThat(client.read()).asString().hasSize(60_000);
        }
        sender.join();
        assertThat(client.call("PING")).isEqualTo("PONG");
    }

    @Test
    void readWithHugeReplies_isAnsweredInParts() {
        client.send("COMMAND\r\n".repeat(5000));
        for (int i = 0; i < 5000; i++) {
            assertThat(client.readList()).hasSize(18);
        }
    }

    @Test
    void incompleteCommand_closesTheConnection() {
        try (RespServer impatient = new RespServer(MemoryStore.create(), POLICIES, null, Duration.ofMillis(50));
                RespClient slow = impatient.connect();
                RespClient idle = impatient.connect()) {
            assertThat(idle.call("PING")).isEqualTo("PONG");
            slow.send("*2\r\n$4\r\nECHO\r\n");
            assertThat(slow.read()).isEqualTo("-ERR Protocol error: command not completed within 50 ms");
            assertThat(slow.isEnded()).isTrue();
            assertThat(idle.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void clientThatNeverReads_isClosed() {
        byte[] echo = RespClient.command("ECHO", "x".repeat(60_000)).getBytes(ISO_8859_1);
        try (RespServer impatient = new RespServer(MemoryStore.create(), POLICIES, null, Duration.ofMillis(50));
                RespClient deaf = impatient.connect();
                RespClient other = impatient.connect()) {
            // On another thread, because sending blocks until the server closes the connection.
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                while (true) {
                    deaf.send(echo);
                }
            });
            assertThatThrownBy(() -> sending.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(UncheckedIOException.class);
            assertThat(other.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void fuzz_againstTheListener_leavesItAnswering() {
        Random random = new Random(4711);
        String stream = RespClient.command("CL.THROTTLE", "k", "5", "1", "1")
                + RespClient.command("SLUICE.CHECK", "1", "tenant", "x")
                + "PING x\r\n"
                + RespClient.command("HELLO", "3")
                + RespClient.command("ECHO", "abc");
        List<RespClient> open = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            RespClient fuzzer = server.connect();
            try {
                fuzzer.send(RespMutations.mutate(stream.getBytes(ISO_8859_1), random));
                if (i % 4 == 0) {
                    fuzzer.readAll();
                }
            } finally {
                open.add(fuzzer);
            }
        }
        assertThat(client.call("CL.THROTTLE", "after", "15", "30", "60")).isEqualTo(List.of(0L, 16L, 15L, -1L, 2L));
        open.forEach(RespClient::close);
        try (RespClient next = server.connect()) {
            assertThat(next.call("PING")).isEqualTo("PONG");
        }
    }
}
