package io.sluice.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class RedisProcessIT {
    @Test
    void command_ofEveryReply_isText() {
        try (RedisProcess redis = RedisProcess.start()) {
            assertThat(redis.command("PING")).isEqualTo("PONG");
            assertThat(redis.command("SET", "ключ", "a\r\nb")).isEqualTo("OK");
            assertThat(redis.command("GET", "ключ")).isEqualTo("a\r\nb");
            assertThat(redis.command("GET", "none")).isEqualTo("(nil)");
            assertThat(redis.command("DBSIZE")).isEqualTo("1");
            assertThat(redis.command("MGET", "ключ", "none")).isEqualTo("a\r\nb\n(nil)");
            assertThat(redis.reply("MGET", "none", "ключ")).isEqualTo(Arrays.asList(null, "a\r\nb"));
            assertThat(redis.reply("EVAL", "return {1, {'x', {}}, ''}", "0"))
                    .isEqualTo(List.of(1L, List.of("x", List.of()), ""));
            assertThat(redis.calls("get")).isEqualTo(2);
            assertThat(redis.calls("incr")).isEqualTo(0);
            assertThatThrownBy(() -> redis.command("EVALSHA", "0".repeat(40), "0"))
                    .isInstanceOf(RedisReplyException.class)
                    .hasMessageStartingWith("NOSCRIPT");
        }
    }

    @Test
    void start_withPassword_usesIt() {
        try (RedisProcess redis = RedisProcess.start("--requirepass", "secret")) {
            assertThat(redis.uri()).isEqualTo("redis://:secret@127.0.0.1:" + redis.port());
            assertThat(redis.command("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void start_withBadOption_reportsTheErrorOfTheServer() {
        assertThatThrownBy(() -> RedisProcess.start("--no-such-option", "1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-option")
                .hasMessageContaining("Bad directive");
    }

    @Test
    void kill_thenRestart_isAnotherProcessAtTheSamePort() {
        try (RedisProcess redis = RedisProcess.start()) {
            int port = redis.port();
            long pid = redis.pid();
            redis.command("SET", "a", "1");
            redis.kill();
            assertThat(redis.isRunning()).isFalse();
            assertThat(ProcessHandle.of(pid)).isEmpty();
            assertThatThrownBy(() -> redis.command("PING")).isInstanceOf(UncheckedIOException.class);
            redis.restart();
            assertThat(redis.port()).isEqualTo(port);
            assertThat(redis.pid()).isNotEqualTo(pid);
            assertThat(redis.command("DBSIZE")).isEqualTo("0");
        }
    }

    @Test
    void restart_withAppendOnlyFile_keepsTheData() {
        try (RedisProcess redis = RedisProcess.start("--appendonly", "yes", "--appendfsync", "always")) {
            redis.command("SET", "a", "1");
            redis.restart();
            assertThat(redis.command("GET", "a")).isEqualTo("1");
        }
    }

    @Test
    void restart_whilePortIsBusy_waits() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.kill();
            CompletableFuture<Void> restarted;
            try (ServerSocket other = listen(redis.port())) {
                restarted = CompletableFuture.runAsync(redis::restart);
                // At least one attempt has failed.
                Await.until(() -> "the port was taken", () -> redis.log().contains("Failed listening"));
                assertThat(other.isClosed()).isFalse();
                assertThat(restarted).isNotDone();
            }
            restarted.get(20, TimeUnit.SECONDS);
            assertThat(redis.command("PING")).isEqualTo("PONG");
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(Ports.LOOPBACK, port));
        return socket;
    }

    @Test
    void pause_untilResume_doesNotAnswer() {
        try (RedisProcess redis = RedisProcess.start()) {
            redis.pause();
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> redis.command("PING"));
            assertThat(redis.isRunning()).isFalse();
            assertThatThrownBy(() -> answer.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            redis.resume();
            assertThat(redis.isRunning()).isTrue();
            assertThat(answer.join()).isEqualTo("PONG");
        }
    }

    @Test
    void close_whilePaused_leavesNoProcessAndNoFiles() {
        RedisProcess redis = RedisProcess.start();
        long pid = redis.pid();
        redis.pause();
        redis.close();
        redis.close();
        assertThat(ProcessHandle.of(pid)).isEmpty();
        assertThat(redis.log()).isEmpty();
    }

    @Test
    void startAt_usesTheGivenPort() {
        int port = Ports.next();
        try (RedisProcess redis = RedisProcess.startAt(port)) {
            assertThat(redis.uri()).isEqualTo("redis://127.0.0.1:" + port);
            assertThat(redis.command("CONFIG", "GET", "port")).isEqualTo("port\n" + port);
        }
    }
}
