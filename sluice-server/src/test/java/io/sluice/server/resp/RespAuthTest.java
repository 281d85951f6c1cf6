package io.sluice.server.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisURI;
import io.sluice.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RespAuthTest {
    private static final String PASSWORD = "pass word ü";

    private final RespServer server =
            new RespServer(MemoryStore.create(), "version: 1\npolicies: []\n", PASSWORD, Duration.ofMinutes(1));
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
    void auth_wrong_staysClosed() {
        String wrong = "-WRONGPASS invalid username-password pair or user is disabled.";
        assertThat(client.call("AUTH", "wrong")).isEqualTo(wrong);
        assertThat(client.call("AUTH", "")).isEqualTo(wrong);
        assertThat(client.call("AUTH", "default", "wrong")).isEqualTo(wrong);
        assertThat(client.call("AUTH", "root", PASSWORD)).isEqualTo(wrong);
        assertThat(client.call("HELLO", "3", "AUTH", "default", "wrong")).isEqualTo(wrong);
        assertNothingIsOpen();
    }

    @Test
    void auth_right_opens_andResetCloses() {
        assertThat(client.call("AUTH", PASSWORD)).isEqualTo("OK");
        assertThat(client.call("PING")).isEqualTo("PONG");
        assertThat(client.call("RESET")).isEqualTo("RESET");
        assertNothingIsOpen();
        assertThat(client.call("AUTH", "default", PASSWORD)).isEqualTo("OK");
        assertThat(client.call("PING")).isEqualTo("PONG");
        assertThat(client.call("AUTH", "wrong")).asString().startsWith("-WRONGPASS");
    }

    @Test
    void hello_withAuth_opens() {
        assertThat(client.call("HELLO", "3", "AUTH", "default", PASSWORD, "SETNAME", "me"))
                .asString()
                .contains("proto, 3");
        assertThat(client.call("CLIENT", "GETNAME")).isEqualTo("me");
    }

    @Test
    void auth_whereNoneIsWanted_isToldSo() {
        try (RespServer open = RespServer.on(MemoryStore.create());
                RespClient other = open.connect()) {
            assertThat(other.call("AUTH", "x")).asString().startsWith("-ERR AUTH <password> called without any");
            assertThat(other.call("AUTH", "default", "x")).isEqualTo("OK");
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
