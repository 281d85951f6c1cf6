package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The metrics, alerts and top keys of an engine. */
class PolicyEngineMetricsTest {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: per-tenant, key: [tenant], limit: sliding-log 3 per 10s }
              - { name: tried, limit: sliding-log 4 per 1h, mode: shadow }
              - { name: never-met, match: { tenant: nobody }, limit: blocked }
            alerts:
              - { name: many-denied, policy: per-tenant, when: denied / total > 50%, over: 10s }
            """;

    private final ManualTime time = new ManualTime();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final RecordingAlertListener events = new RecordingAlertListener();
    private final PolicyEngine engine = PolicyEngine.builder()
            .policies(Policies.parse(POLICIES, "test.yaml"))
            .time(time)
            .alertListener(events)
            .build();

    @AfterEach
    void stop() {
        engine.close();
    }

    private void ask(String tenant, int times) {
        for (int i = 0; i < times; i++) {
            engine.check(Map.of("tenant", tenant));
        }
    }

    private double decisions(String policy, String outcome) {
        FunctionCounter counter = registry.get("sluice.decisions")
                .tags("policy", policy, "outcome", outcome)
                .functionCounter();
        return counter.count();
    }

    private double requests(String outcome) {
        return registry.get("sluice.requests")
                .tag("outcome", outcome)
                .functionCounter()
                .count();
    }

    @Test
    void metrics_severalDecidedTogether_areOneRequest() {
        engine.metrics().bindTo(registry);
        PolicyRequest acme = new PolicyRequest(Map.of("tenant", "acme"), 2);
        PolicyRequest other = new PolicyRequest(Map.of("tenant", "other"), 1);
        engine.check(List.of(acme, other), List.of());
        engine.check(List.of(acme, other), List.of());
        engine.check(List.of(new PolicyRequest(Map.of("tenant", "acme"), 0)), List.of());
        assertThat(requests("allowed")).isEqualTo(1);
        assertThat(requests("denied")).isEqualTo(1);
        assertThat(decisions("per-tenant", "allowed")).isEqualTo(3);
        assertThat(decisions("per-tenant", "denied")).isEqualTo(1);
    }

    @Test
    void metrics_afterDecisions_countByPolicyAndOutcome() {
        engine.metrics().bindTo(registry);
        ask("acme", 5);
        ask("other", 2);
        engine.checkAsync(Map.of("tenant", "nobody"), 1).toCompletableFuture().join();
        assertThat(requests("allowed")).isEqualTo(4);
        assertThat(requests("shadow-denied"))
                .as("let through only because a policy is in shadow")
                .isEqualTo(1);
        assertThat(requests("denied")).isEqualTo(3);
        assertThat(decisions("per-tenant", "allowed")).isEqualTo(6);
        assertThat(decisions("per-tenant", "denied")).isEqualTo(2);
        assertThat(decisions("tried", "allowed"))
                .as("denied requests use nothing of it")
                .isEqualTo(6);
        assertThat(decisions("tried", "shadow-denied")).isEqualTo(2);
        assertThat(decisions("tried", "denied")).isZero();
        assertThat(decisions("never-met", "denied")).isEqualTo(1);
        assertThat(registry.get("sluice.decision.latency").timer().count()).isEqualTo(8);
        assertThat(registry.get("sluice.policy.version").gauge().value()).isEqualTo(1);
    }

    @Test
    void metrics_policyAdded_isCountedToo() {
        engine.metrics().bindTo(registry);
        engine.replace(EngineTests.policies("- { name: added, limit: blocked }\n"));
        ask("acme", 3);
        assertThat(decisions("added", "denied")).isEqualTo(3);
        assertThat(registry.get("sluice.policy.version").gauge().value()).isEqualTo(2);
    }

    @Test
    void alert_firesOnceAndResolvesOnce() throws InterruptedException {
        engine.metrics().bindTo(registry);
        ask("acme", 10);
        time.advance(Duration.ofSeconds(2));
        ask("acme", 10);
        time.advance(Duration.ofSeconds(2));
        AlertEvent fired = events.next();
        assertThat(fired.firing()).isTrue();
        assertThat(fired.alert().name()).isEqualTo("many-denied");
        assertThat(engine.firing()).extracting(event -> event.alert().name()).containsExactly("many-denied");
        assertThat(registry.get("sluice.alerts.firing").gauge().value()).isEqualTo(1);
        for (int i = 0; i < 30; i++) {
            time.advance(Duration.ofSeconds(1));
            ask("quiet " + i, 1);
        }
        AlertEvent resolved = events.next();
        assertThat(resolved.firing()).isFalse();
        assertThat(engine.firing()).isEmpty();
        engine.close();
        assertThat(events.waiting()).as("each event was sent once").isZero();
    }

    @Test
    void topKeys_listTheBusiestAndTheMostDenied() {
        ask("busy", 20);
        ask("idle", 2);
        assertThat(engine.topKeys().busiest(10))
                .extracting(TopKey::policy, TopKey::key, TopKey::count)
                .containsSubsequence(tuple("per-tenant", "busy", 20L), tuple("per-tenant", "idle", 2L));
        assertThat(engine.topKeys().denied(10))
                .extracting(TopKey::policy, TopKey::key, TopKey::count)
                .containsExactly(tuple("per-tenant", "busy", 17L));
    }
}
