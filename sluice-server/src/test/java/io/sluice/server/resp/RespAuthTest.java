package io.sluice.server.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.sluice.memory.MemoryStore;
import io.sluice.server.wire.RespClient;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespAuthTest {
    private static final String PASSWORD = "pass word ü";
    private static final String NO_POLICIES = "version: 1\npolicies: []\n";

    private final RespServer server =
            new RespServer(MemoryStore.create(), NO_POLICIES, PASSWORD, Duration.ofMinutes(1));
    private final RespClient client = server.connect();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private void assertNothingIsOpen() {
        for (String[] command : new String[][] {
            {"PING"},
            {"ECHO", "x"},
            {"CL.THROTTLE", "k", "1", "1", "1"},
            {"SLUICE.CHECK", "1"},
            {"CLIENT", "LIST"},
            {"COMMAND"},
            {"INFO"},
            {"CONFIG", "GET", "save"},
            {"SELECT", "0"}
        }) {
            assertThat(client.call(command)).isEqualTo("-NOAUTH Authentication required.");
        }
    }

    @Test
    void beforeAuth_nothingIsAnswered() {
        assertNothingIsOpen();
        assertThat(client.call("HELLO", "3")).asString().startsWith("-NOAUTH ");
        assertThat(client.call("AUTH")).isEqualTo("-ERR wrong number of arguments for 'auth' command");
        assertThat(client.call("AUTH", "a", "b", "c")).isEqualTo("-ERR syntax error");
    }

    @Test
    void auth_withAWrongPassword_doesNotAuthenticate() {
        String wrong = "-WRONGPASS invalid username-password pair or user is disabled.";
        assertThat(client.call("AUTH", "wrong")).isEqualTo(wrong);
        assertThat(client.call("AUTH", "")).isEqualTo(wrong);
        assertThat(client.call("AUTH", "default", "wrong")).isEqualTo(wrong);
        assertThat(client.call("AUTH", "root", PASSWORD)).isEqualTo(wrong);
        assertThat(client.call("HELLO", "3", "AUTH", "default", "wrong")).isEqualTo(wrong);
        assertNothingIsOpen();
    }

    @Test
    void auth_withTheRightPassword_authenticates_untilReset() {
        assertThat(client.call("AUTH", PASSWORD)).isEqualTo("OK");
        assertThat(client.call("PING")).isEqualTo("PONG");
        assertThat(client.call("RESET")).isEqualTo("RESET");
        assertNothingIsOpen();
        assertThat(client.call("AUTH", "default", PASSWORD)).isEqualTo("OK");
        assertThat(client.call("PING")).isEqualTo("PONG");
        assertThat(client.call("AUTH", "wrong")).asString().startsWith("-WRONGPASS");
    }

    @Test
    void hello_withAuth_authenticates() {
        assertThat(client.call("HELLO", "3", "AUTH", "default", PASSWORD, "SETNAME", "me"))
                .asString()
                .contains("proto, 3");
        assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("me");
    }

    @Test
    void auth_withoutAConfiguredPassword_isAnError() {
        try (RespServer open = RespServer.on(MemoryStore.create());
                RespClient other = open.connect()) {
            assertThat(other.call("AUTH", "x")).asString().startsWith("-ERR AUTH <password> called without any");
            assertThat(other.call("AUTH", "default", "x")).isEqualTo("OK");
        }
    }

    @Test
    void auth_withWrongPasswords_isAnsweredWithGrowingDelays_andNothingRunsMeanwhile() {
        long start = System.nanoTime();
        client.send(RespClient.command("AUTH", "wrong").repeat(9) + RespClient.command("AUTH", PASSWORD) + "PING\r\n");
        for (int i = 0; i < 9; i++) {
            assertThat(client.read()).asString().startsWith("-WRONGPASS");
        }
        assertThat(client.read()).isEqualTo("OK");
        assertThat(client.read()).isEqualTo("PONG");
        // 100, 200, 400 and 800 ms, after five without a delay.
        assertThat(System.nanoTime() - start).isGreaterThan(1_400_000_000);
    }

    @Tag("slow")
    @Test
    void auth_whenManyRepliesAreDelayed_isRefusedWithoutAComparison() {
        List<RespClient> guessing =
                IntStream.range(0, 40).mapToObj(i -> server.connect()).toList();
        guessing.forEach(each -> each.send(RespClient.command("AUTH", "wrong")));
        List<Object> answers = guessing.stream().map(RespClient::read).toList();
        String refused = "-ERR too many wrong passwords from this address (expected: another try in 5 s)";
        assertThat(answers).contains(refused);
        assertThat(guessing.get(answers.indexOf(refused)).isEnded()).isTrue();
        assertThat(answers)
                .filteredOn(each -> !refused.equals(each))
                .allSatisfy(each -> assertThat(each).asString().startsWith("-WRONGPASS"));
        guessing.forEach(RespClient::close);
    }

    @Test
    void auth_missingWithinTheTimeout_closesTheConnection_andAnAuthenticatedClientStays() {
        Duration soon = Duration.ofMillis(200);
        try (RespServer strict = new RespServer(
                        MemoryStore.create(), NO_POLICIES, PASSWORD, Duration.ofMinutes(1), soon, 1 << 20);
                RespClient shown = strict.connect()) {
            assertThat(shown.call("AUTH", PASSWORD)).isEqualTo("OK");
            try (RespClient silent = strict.connect();
                    RespClient asking = strict.connect()) {
                assertThat(asking.call("PING")).isEqualTo("-NOAUTH Authentication required.");
                assertThat(silent.read()).isEqualTo("-NOAUTH no AUTH within 200 ms");
                assertThat(silent.isEnded()).isTrue();
                assertThat(asking.read()).isEqualTo("-NOAUTH no AUTH within 200 ms");
            }
            assertThat(strict.limits.closed(RespLimits.Reason.UNAUTHENTICATED)).isEqualTo(2);
            assertThat(shown.call("PING")).isEqualTo("PONG");
            // RESET returns to the state of a new connection.
            assertThat(shown.call("RESET")).isEqualTo("RESET");
            assertThat(shown.read()).isEqualTo("-NOAUTH no AUTH within 200 ms");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*11\r\n",
                "*1000000\r\n",
                "*2\r\n$4\r\nAUTH\r\n$2048\r\n",
                "*2\r\n$4\r\nAUTH\r\n$1000000000\r\n",
            })
    void beforeAuth_aLargeAnnouncedLength_isRefused(String announced) {
        client.send(announced);
        assertThat(client.read()).asString().startsWith("-ERR Protocol error: unauthenticated: ");
        assertThat(client.isEnded()).isTrue();
    }

    @Test
    void beforeAuth_anInlineCommandWithoutEnd_isRefusedEarly() {
        client.send("x".repeat(2100));
        assertThat(client.read()).isEqualTo("-ERR Protocol error: unauthenticated: too big inline request");
        assertThat(client.isEnded()).isTrue();
    }

    @Test
    void beforeAuth_manyCommands_closeTheConnection() {
        client.send("PING\r\n".repeat(1000));
        String all = client.readAll();
        assertThat(all).startsWith("-NOAUTH Authentication required.\r\n");
        assertThat(all).endsWith("-NOAUTH more than 64 commands (expected: AUTH)\r\n");
        assertThat(all.lines()).hasSizeLessThan(70);
    }

    @Test
    void beforeAuth_inputBehindAWrongPassword_isNotKept() {
        for (int i = 0; i < 5; i++) {
            client.call("AUTH", "wrong");
        }
        client.send(RespClient.command("AUTH", "wrong") + "PING\r\n".repeat(20_000));
        long most = 0;
        while (client.isUnanswered()) {
            most = Math.max(most, server.limits.keptBytes());
        }
        assertThat(most).isLessThan(8192);
        assertThat(client.readAll().lines()).hasSizeLessThan(70);
    }

    @Test
    void auth_beforeALargePipeline_authenticatesIt() {
        client.send(RespClient.command("AUTH", PASSWORD) + "PING\r\n".repeat(20_000));
        assertThat(client.read()).isEqualTo("OK");
        for (int i = 0; i < 20_000; i++) {
            assertThat(client.read()).isEqualTo("PONG");
        }
    }

    @Test
    void lettuce_connectsOnlyWithThePassword() {
        RedisURI uri = RedisURI.create("127.0.0.1", server.port());
        RedisClient without = RedisClient.create(uri);
        RedisClient with = RedisClient.create(RedisURI.builder(uri)
                .withAuthentication("default", PASSWORD.toCharArray())
                .build());
        try {
            assertThatThrownBy(without::connect).isInstanceOf(RedisConnectionException.class);
            assertThat(with.connect().sync().ping()).isEqualTo("PONG");
        } finally {
            without.shutdown(Duration.ZERO, Duration.ofSeconds(5));
            with.shutdown(Duration.ZERO, Duration.ofSeconds(5));
        }
    }
}
