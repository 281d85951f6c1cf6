package io.sluice.server.flood;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Attacks one server with little memory by one kind of hostile clients after the other, while honest clients send requests.
 *
 * <p>{@code -Dsluice.flood.seconds=60} makes each flood last longer; {@code -Dsluice.flood.seed=7} sends other bytes.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(600)
class FloodIT {
    private static final int CONNECTIONS = 100;
    private static final long MOST_LEFT_BEHIND = 24L << 20;
    private static final long SECONDS = Long.getLong("sluice.flood.seconds", 2);
    private static final long SEED = Long.getLong("sluice.flood.seed", 1);

    private ServerProcess victim;
    private HonestClients honest;
    private long[] before;

    @BeforeAll
    void start() throws Exception {
        victim = ServerProcess.start();
        honest = HonestClients.start(victim.http, victim.resp);
        awaitServed();
        before = victim.memory();
    }

    @AfterAll
    void stop() throws Exception {
        honest.close();
        victim.close();
    }

    @ParameterizedTest
    @EnumSource
    void flood_besideHonestClients_doesNotHarmThem(Attack attack) throws Exception {
        flood(attack, new Random(SEED));

        assertThat(victim.isAlive()).isTrue();
        awaitServed();
        assertThat(honest.refused()).isEmpty();
        long[] after = victim.memory();
        assertThat(after[0] - before[0]).as("heap left behind").isLessThan(MOST_LEFT_BEHIND);
        assertThat(after[1] - before[1]).as("direct memory left behind").isLessThan(MOST_LEFT_BEHIND);
    }

    /** The maximum number of connections. A connection that the server closes is replaced. */
    private void flood(Attack attack, Random random) {
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                connections.add(attack.connect(victim, random));
            }
            long end = System.nanoTime() + SECONDS * 1_000_000_000;
            while (System.nanoTime() - end < 0) {
                for (int i = 0; i < CONNECTIONS; i++) {
                    if (!connections.get(i).sendMore()) {
                        connections.get(i).close();
                        connections.set(i, attack.connect(victim, random));
                    }
                }
            }
        } finally {
            connections.forEach(Connection::close);
        }
    }

    /** Waits until every honest client was served some more times. */
    private void awaitServed() {
        Map<HonestClients.Protocol, Long> seen = honest.served();
        while (honest.refused().isEmpty() && victim.isAlive() && !servedMore(seen)) {
            Thread.onSpinWait();
        }
    }

    private boolean servedMore(Map<HonestClients.Protocol, Long> seen) {
        return honest.served().entrySet().stream().allMatch(now -> now.getValue() >= seen.get(now.getKey()) + 10);
    }
}
