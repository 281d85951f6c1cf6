package io.sluice.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.server.wire.RespClient;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code SLUICE.RESERVE} and {@code SLUICE.SETTLE}. */
class RespSettleTest {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: per-tenant, key: [tenant], limit: fixed-window 100 per 1d from-first }
            """;
    private static final List<Long> ALLOWED = List.of(1L, 0L, 0L);

    private final ManualTime time = new ManualTime();
    private final RespServer server =
            new RespServer(MemoryStore.builder().time(time).build(), POLICIES, null, Duration.ofMinutes(1));
    private final RespClient client = server.connect();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    /** Reserves for the tenant acme. */
    private String reserved(String... permitsAndTtl) {
        String[] command = new String[permitsAndTtl.length + 3];
        command[0] = "SLUICE.RESERVE";
        System.arraycopy(permitsAndTtl, 0, command, 1, permitsAndTtl.length);
        command[command.length - 2] = "tenant";
        command[command.length - 1] = "acme";
        List<?> reply = client.callForList(command);
        assertThat(reply).hasSize(4);
        assertThat(reply.subList(0, 3)).isEqualTo(ALLOWED);
        return String.valueOf(reply.get(3));
    }

    /** Whether the tenant acme has exactly so many permits left: it may take them, and no more. Takes them. */
    private void assertLeft(long permits) {
        assertThat(client.callForList("SLUICE.CHECK", "" + (permits + 1), "tenant", "acme")
                        .get(0))
                .isEqualTo(0L);
        assertThat(client.call("SLUICE.CHECK", "" + permits, "tenant", "acme")).isEqualTo(ALLOWED);
    }

    @Test
    void settle_withLess_givesTheRestBack() {
        assertThat(client.call("SLUICE.SETTLE", reserved("60"), "25")).isEqualTo(ALLOWED);
        assertLeft(75);
    }

    @Test
    void settle_withMore_chargesIntoDebt() {
        List<?> reply = client.callForList("sluice.settle", reserved("60", "5m"), "101");
        assertThat(reply.get(0)).isEqualTo(0L);
        assertThat(reply.get(3)).isEqualTo("per-tenant");
    }

    @Test
    void settle_again_isAConflict() {
        String reservation = reserved("60");
        client.call("SLUICE.SETTLE", reservation, "0");
        assertThat(client.call("SLUICE.SETTLE", reservation, "90")).asString().startsWith("-CONFLICT ");
        assertLeft(100);
    }

    @Test
    void settle_afterTheTtl_isAConflict() {
        String reservation = reserved("60", "1s");
        String longer = reserved("10");
        time.advance(Duration.ofSeconds(1));
        assertThat(client.call("SLUICE.SETTLE", reservation, "1")).asString().startsWith("-CONFLICT ");
        assertThat(client.call("SLUICE.SETTLE", longer, "1")).isEqualTo(ALLOWED);
        assertLeft(39);
    }

    @Test
    void reserve_denied_namesThePolicyAndChargesNothing() {
        assertThat(client.call("SLUICE.RESERVE", "101", "tenant", "acme"))
                .isEqualTo(List.of(0L, -1L, 0L, "per-tenant"));
        assertLeft(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"999ms", "3601s", "1h1ms", "60", "soon", ""})
    void ttl_thatIsNone_isRefused(String ttl) {
        assertThat(client.call("SLUICE.RESERVE", "1", ttl, "tenant", "acme"))
                .isEqualTo(
                        "-ERR ttl: " + ttl + " (expected: a duration from 1s to 1h, such as 60s, before attributes and"
                                + " values in pairs)");
        assertLeft(100);
    }

    @Test
    void arguments_thatAreNotValid_areRefused() {
        assertThat(client.call("SLUICE.SETTLE", "x", "1"))
                .isEqualTo("-ERR reservation: not a reservation (expected: the text that a reserve answered)");
        assertThat(client.call("SLUICE.SETTLE", "x", "-1"))
                .isEqualTo("-ERR permits: -1 (expected: a whole number, at least 0)");
        assertThat(client.call("SLUICE.RESERVE", "x", "tenant", "acme"))
                .isEqualTo("-ERR permits: x (expected: a whole number, at least 0)");
        assertThat(client.call("SLUICE.SETTLE", "x")).asString().startsWith("-ERR wrong number of arguments");
        assertThat(client.call("SLUICE.RESERVE", "1", "tenant"))
                .as("an attribute without its value")
                .isEqualTo("-ERR ttl: tenant (expected: a duration from 1s to 1h, such as 60s, before attributes and"
                        + " values in pairs)");
        assertThat(client.call("SLUICE.RESERVE")).asString().startsWith("-ERR wrong number of arguments");
    }
}
