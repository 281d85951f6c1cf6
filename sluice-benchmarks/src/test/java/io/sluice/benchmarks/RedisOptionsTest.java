package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisOptionsTest {
    @Test
    void redis_withAnUnknownCase_namesThoseThatThereAre() {
        CommandRun ran = CommandRun.with("redis", "--only", "hot-key");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .startsWith("sluice bench redis: --only hot-key (expected: one of keys-1000-blocking, bare-script,"
                        + " hot-key-blocking, hot-key-async, denied, single-thread, calendar, warm-up, enter-leave-hot-key,"
                        + " enter-leave-keys-1000, key-bytes)\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "http://:secret@localhost",
                "redis://:secret@",
                "redis-sentinel://secret@localhost#master",
                "redis-socket:///secret",
                ""
            })
    void redis_withABadUri_saysWhatWasExpectedAndKeepsThePassword(String uri) {
        CommandRun ran = CommandRun.with("redis", "--redis", uri);

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("sluice bench redis: --redis: not the URI of a single Redis (expected: redis://[")
                .doesNotContain("secret");
    }

    @Test
    void redis_thatCannotBeReached_failsInOneLine() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        CommandRun ran = CommandRun.with("redis", "--redis", "redis://:secret@127.0.0.1:" + port);

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err())
                .isEqualTo(
                        "sluice bench redis: redis://127.0.0.1:" + port + ": cannot be reached: Connection refused\n");
    }
}
