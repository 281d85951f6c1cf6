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

/** Alerts can watch for permits that were charged beyond a limit. */
class DebtAlertTest {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: tokens, key: [tenant], limit: fixed-window 100 per year, charge: always }
              - { name: requests, match: { kind: report }, limit: fixed-window 1000 per year }
            alerts:
              - { name: overspent, policy: tokens, when: debt > 29, over: 1m }
              - { name: any, when: debt > 0, over: 1m }
              - { name: not this one, policy: requests, when: debt > 0, over: 1m }
              - { name: with decisions, policy: tokens, when: debt > 0, over: 1m, at-least: 1 }
            """;

    @Test
    void charges_beyondTheLimit_fireAlertsWithoutAnyDecision() throws InterruptedException {
        ManualTime time = new ManualTime();
        LinkedBlockingQueue<AlertEvent> queue = new LinkedBlockingQueue<>();
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(Policies.parse(POLICIES, "policies.yaml"))
                .store(MemoryStore.builder().time(time).build())
                .time(time)
                .alertListener(queue::add)
                .build()) {
            engine.charge(Map.of("tenant", "acme", "kind", "report"), 60);
            engine.charge(Map.of("tenant", "acme"), 70);

            time.advance(Duration.ofSeconds(1));

            AlertEvent first = Objects.requireNonNull(queue.poll(60, TimeUnit.SECONDS));
            AlertEvent second = Objects.requireNonNull(queue.poll(60, TimeUnit.SECONDS));
            assertThat(List.of(first, second))
                    .extracting(event -> event.alert().name())
                    .containsExactly("overspent", "any");
            assertThat(first.counts())
                    .hasToString("total 0, allowed 0, denied 0, shadow-denied 0, degraded 0, debt 30");
            assertThat(engine.firing()).hasSize(2);
            assertThat(engine.counts().requests().debt()).isEqualTo(30);
        }
    }
}
