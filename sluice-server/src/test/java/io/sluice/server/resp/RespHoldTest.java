package io.sluice.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.server.wire.RespClient;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code SLUICE.CHECK} that holds permits, {@code SLUICE.RELEASE} and {@code SLUICE.RENEW}. */
class RespHoldTest {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: in-flight, key: [tenant], limit: concurrency 2 hold 30s }
            """;

    private final ManualTime time = new ManualTime();
    private final RespServer server =
            new RespServer(MemoryStore.builder().time(time).build(), POLICIES, null, Duration.ofMinutes(1));
    private final RespClient client = server.connect();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    /** Checks for the tenant acme, and returns what it holds. */
    private String held() {
        List<?> reply = client.callForList("SLUICE.CHECK", "3", "tenant", "acme");
        assertThat(reply).hasSize(4);
        assertThat(reply.subList(0, 3)).isEqualTo(List.of(1L, 0L, 0L));
        return String.valueOf(reply.get(3));
    }

    @Test
    void check_full_namesThePolicy() {
        held();
        held();
        assertThat(client.call("SLUICE.CHECK", "1", "tenant", "acme"))
                .isEqualTo(List.of(0L, 30_000_000L, 0L, "in-flight"));
    }

    @Test
    void check_ofNothing_holdsNothing() {
        assertThat(client.call("SLUICE.CHECK", "0", "tenant", "acme")).isEqualTo(List.of(1L, 0L, 0L));
        assertThat(client.call("SLUICE.CHECK", "1", "user", "ada")).isEqualTo(List.of(1L, 0L, 0L));
    }

    @Test
    void release_givesBack_once() {
        held();
        String holds = held();
        assertThat(client.call("SLUICE.RELEASE", holds)).isEqualTo("OK");
        assertThat(client.call("SLUICE.RELEASE", holds)).asString().startsWith("-CONFLICT ");
        held();
    }

    @Test
    void renew_keepsIt() {
        String renewed = held();
        String forgotten = held();
        time.advance(Duration.ofSeconds(29));
        assertThat(client.call("sluice.renew", renewed)).isEqualTo("OK");
        time.advance(Duration.ofSeconds(1));
        assertThat(client.call("SLUICE.RENEW", forgotten)).asString().startsWith("-CONFLICT ");
        assertThat(client.call("SLUICE.RELEASE", renewed)).isEqualTo("OK");
    }

    @Test
    void charge_holdsNothing() {
        assertThat(client.call("SLUICE.CHARGE", "1", "tenant", "acme")).isEqualTo(List.of(1L, 0L, 0L));
        held();
        held();
    }

    @Test
    void arguments_thatAreNotValid_areRefused() {
        assertThat(client.call("SLUICE.RELEASE", "x"))
                .isEqualTo("-ERR holds: not held permits (expected: the text that a check answered)");
        assertThat(client.call("SLUICE.RENEW", "")).asString().startsWith("-ERR holds: ");
        assertThat(client.call("SLUICE.RELEASE")).asString().startsWith("-ERR wrong number of arguments");
        assertThat(client.call("SLUICE.RENEW", "x", "y")).asString().startsWith("-ERR wrong number of arguments");
    }
}
