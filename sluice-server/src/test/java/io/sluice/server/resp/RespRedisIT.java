package io.sluice.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.redis.RedisStore;
import io.sluice.server.wire.RespClient;
import io.sluice.testkit.redis.RedisProcess;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RespRedisIT {
    private static final String POLICIES = """
            version: 1
            policies:
              - name: per-tenant
                key: [tenant]
                limit: 2 per 1h
            """;

    @Test
    void redis_pipelinesAreAnsweredInOrder_andTheRestWhenItIsGone() {
        try (RedisProcess redis = RedisProcess.start();
                RedisStore store = RedisStore.builder()
                        .uri("redis://127.0.0.1:" + redis.port())
                        .deadline(Duration.ofSeconds(10))
                        .build();
                RespServer server = new RespServer(store, POLICIES, null, Duration.ofMinutes(1));
                RespClient client = server.connect()) {
            StringBuilder pipeline = new StringBuilder();
            int count = 3000;
            for (int i = 0; i < count; i++) {
                pipeline.append(RespClient.command("CL.THROTTLE", "k" + i % 3, "9999", "1", "1000"))
                        .append(RespClient.command("ECHO", "" + i))
                        .append(RespClient.command("CL.THROTTLE", "other", "9999", "1", "2000", "0"))
                        .append(RespClient.command("CL.THROTTLE", "other", "x", "1", "2000", "0"));
            }
            Thread sender = new Thread(() -> client.send(pipeline.toString()));
            sender.start();
            for (int i = 0; i < count; i++) {
                assertThat(client.read()).asString().startsWith("[0, 10000, " + (9999 - i / 3) + ", -1, ");
                assertThat(client.read()).isEqualTo("" + i);
                assertThat(client.read()).isEqualTo(List.of(0L, 10_000L, 10_000L, -1L, 0L));
                assertThat(client.read()).isEqualTo("-ERR Cell error: Couldn't parse as integer: x");
            }
            assertThat(client.call("CL.THROTTLE", "k0", "9999", "1", "1000", "-500"))
                    .asString()
                    .startsWith("[0, 10000, 9500, -1, ");
            assertThat(client.call("SLUICE.CHECK", "2", "tenant", "acme")).isEqualTo(List.of(1L, 0L, 0L));
            assertThat(client.call("SLUICE.CHECK", "1", "tenant", "acme"))
                    .asString()
                    .startsWith("[0, ")
                    .endsWith(", per-tenant]");

            redis.kill();
            assertThat(client.call("CL.THROTTLE", "k0", "9999", "1", "1000"))
                    .isEqualTo(List.of(0L, 10_000L, 0L, -1L, 0L));
            assertThat(client.call("CL.THROTTLE", "k0", "5", "1", "7")).isEqualTo(List.of(0L, 6L, 0L, -1L, 0L));
            assertThat(client.call("SLUICE.CHECK", "1", "tenant", "other")).isEqualTo(List.of(1L, 0L, 0L));
            client.send(RespClient.command("CL.THROTTLE", "k1", "9999", "1", "1000") + "QUIT\r\n");
            assertThat(client.readAll()).endsWith("+OK\r\n").startsWith("*5\r\n:0\r\n:10000\r\n");
        }
    }
}
