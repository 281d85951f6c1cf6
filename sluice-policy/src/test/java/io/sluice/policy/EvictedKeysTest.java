package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Keys that are evicted from a full store are counted by policy, and alerts can watch for them. */
class EvictedKeysTest {
    private static final String POLICIES = """
            version: 1
            policies:
              - name: per-user
                key: [user]
                limit: fixed-window 100 per 1d
                overrides:
                  - { match: { plan: gold }, limit: fixed-window 1000 per 1d }
              - name: per-tenant
                key: [tenant]
                limit: fixed-window 100 per 1d
            alerts:
              - { name: flood, policy: per-user, when: evicted > 10, over: 1m }
              - { name: full, when: evicted > 10, over: 1m }
              - { name: not this one, policy: per-tenant, when: evicted > 0, over: 1m }
            """;

    @Test
    void flood_ofOnePolicy_countsEvictionsAndFiresAlerts() throws InterruptedException {
        ManualTime time = new ManualTime();
        MemoryStore store = MemoryStore.builder().time(time).maxKeys(100).build();
        LinkedBlockingQueue<AlertEvent> queue = new LinkedBlockingQueue<>();
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(Policies.parse(POLICIES, "policies.yaml"))
                .store(store)
                .time(time)
                .alertListener(queue::add)
                .build()) {
            engine.check(Map.of("tenant", "acme"));
            for (int i = 0; i < 300; i++) {
                engine.check(Map.of("user", "u" + i));
                engine.check(Map.of("user", "u" + i, "plan", "gold"));
            }
            assertThat(evictions(engine, "per-user"))
                    .isEqualTo(store.evictions())
                    .isPositive();
            assertThat(evictions(engine, "per-tenant")).isZero();
            assertThat(engine.counts().requests().evicted()).isEqualTo(store.evictions());
            assertThat(Objects.requireNonNull(engine.counts().policies().get("per-user"))
                            .evicted())
                    .isEqualTo(store.evictions());

            time.advance(Duration.ofSeconds(1));

            List<AlertEvent> events = List.of(next(queue), next(queue));
            assertThat(events).extracting(event -> event.alert().name()).containsExactly("flood", "full");
            assertThat(events.get(0).counts().evicted()).isEqualTo(store.evictions());
            assertThat(events.get(0).counts())
                    .hasToString("total 600, allowed 600, denied 0, shadow-denied 0, degraded 0, evicted "
                            + store.evictions());
            assertThat(engine.firing()).hasSize(2);
        }
    }

    private static AlertEvent next(LinkedBlockingQueue<AlertEvent> queue) throws InterruptedException {
        AlertEvent event = queue.poll(60, TimeUnit.SECONDS);
        assertThat(event).isNotNull();
        return event;
    }

    private static long evictions(PolicyEngine engine, String policy) {
        return Objects.requireNonNull(engine.counters().get(policy)).evicted();
    }
}
