package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The counters, latency, alerts and top keys of an engine. */
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

    private OutcomeCounters policy(String name) {
        return Objects.requireNonNull(engine.counters().get(name));
    }

    @Test
    void counters_severalDecidedTogether_areOneRequest() {
        PolicyRequest acme = new PolicyRequest(Map.of("tenant", "acme"), 2);
        PolicyRequest other = new PolicyRequest(Map.of("tenant", "other"), 1);
        engine.check(List.of(acme, other), List.of());
        engine.check(List.of(acme, other), List.of());
        engine.check(List.of(new PolicyRequest(Map.of("tenant", "acme"), 0)), List.of());
        assertThat(engine.requestCounters().allowed()).isEqualTo(1);
        assertThat(engine.requestCounters().denied()).isEqualTo(1);
        assertThat(policy("per-tenant").allowed()).isEqualTo(3);
        assertThat(policy("per-tenant").denied()).isEqualTo(1);
    }

    @Test
    void counters_afterDecisions_countByPolicyAndOutcome() {
        ask("acme", 5);
        ask("other", 2);
        engine.checkAsync(Map.of("tenant", "nobody"), 1).toCompletableFuture().join();
        assertThat(engine.requestCounters().allowed()).isEqualTo(4);
        assertThat(engine.requestCounters().shadowDenied())
                .as("let through only because a policy is in shadow")
                .isEqualTo(1);
        assertThat(engine.requestCounters().denied()).isEqualTo(3);
        assertThat(policy("per-tenant").allowed()).isEqualTo(6);
        assertThat(policy("per-tenant").denied()).isEqualTo(2);
        assertThat(policy("tried").allowed())
                .as("denied requests use nothing of it")
                .isEqualTo(6);
        assertThat(policy("tried").shadowDenied()).isEqualTo(2);
        assertThat(policy("tried").denied()).isZero();
        assertThat(policy("never-met").denied()).isEqualTo(1);
    }

    @Test
    void counters_policyAdded_isCountedToo() {
        engine.replace(EngineTests.policies("- { name: added, limit: blocked }\n"));
        ask("acme", 3);
        assertThat(policy("added").denied()).isEqualTo(3);
        assertThat(policy("per-tenant").allowed())
                .as("those of a removed policy stay")
                .isZero();
    }

    @Test
    void permits_severalPolicies_areThoseThatRequestsTook() {
        engine.check(Map.of("tenant", "acme"), 2);
        engine.check(Map.of("tenant", "acme"), 1);
        engine.check(Map.of("tenant", "acme"), 1);
        engine.check(Map.of("tenant", "other"), 0);
        assertThat(policy("per-tenant").permits()).isEqualTo(3);
        assertThat(policy("tried").permits())
                .as("the denied request took nothing, though this policy allowed it")
                .isEqualTo(3);
        assertThat(policy("tried").allowed()).isEqualTo(3);

        PolicyRequest one = new PolicyRequest(Map.of("tenant", "other"), 1);
        engine.check(List.of(one, new PolicyRequest(Map.of("tenant", "acme"), 1)), List.of());
        assertThat(policy("per-tenant").permits()).as("all or nothing").isEqualTo(3);
        assertThat(policy("per-tenant").allowed()).isEqualTo(3);
        assertThat(engine.requestCounters().permits()).isZero();
    }

    @Test
    void latency_whileSomebodyListens_isMeasured() {
        List<Long> heard = new ArrayList<>();
        LatencyListener listener = heard::add;
        ask("acme", 1);
        engine.addLatencyListener(listener);
        engine.addLatencyListener(nanos -> {
            throw new IllegalStateException("a listener's own fault");
        });
        ask("acme", 2);
        engine.checkAsync(Map.of("tenant", "acme"), 1).toCompletableFuture().join();
        PolicyRequest request = new PolicyRequest(Map.of("tenant", "acme"), 1);
        engine.check(List.of(request), List.of());
        engine.checkAsync(List.of(request), List.of()).toCompletableFuture().join();
        assertThat(heard).hasSize(5).allMatch(nanos -> nanos > 0);
        engine.removeLatencyListener(listener);
        ask("acme", 1);
        assertThat(heard).hasSize(5);
    }

    @Test
    void limits_ofEveryPolicyAndOverride_followAReplacement() {
        assertThat(engine.limits())
                .extracting(
                        limit -> limit.policy().name(), limit -> limit.limit().toString(), LimitInForce::scope)
                .as("memory counts, so every state belongs to this process")
                .containsExactly(
                        tuple("per-tenant", "sliding-log 3 per 10s", Scope.PROCESS),
                        tuple("tried", "sliding-log 4/h", Scope.PROCESS),
                        tuple("never-met", "blocked", Scope.PROCESS));
        assertThat(engine.limits()).isSameAs(engine.limits());
        engine.replace(EngineTests.policies("""
                - name: one
                  limit: 5/s
                  overrides:
                    - { name: gold, match: { plan: gold }, limit: 50/s }
                    - { match: { plan: free }, limit: blocked }
                - { name: other, limit: 1/s, mode: off }
                """));
        assertThat(engine.limits())
                .extracting(
                        limit ->
                                limit.override() == null ? "" : limit.override().id(),
                        limit -> limit.limit().toString())
                .containsExactly(
                        tuple("", "token-bucket 5/s"),
                        tuple("gold", "token-bucket 50/s"),
                        tuple("{\"plan\": \"free\"}", "blocked"));
    }

    @Test
    void close_twice_tellsListenersOnce() {
        List<String> heard = new ArrayList<>();
        PolicyListener listener = new PolicyListener() {
            @Override
            public void closed() {
                heard.add("closed");
            }
        };
        PolicyListener removed = new PolicyListener() {
            @Override
            public void closed() {
                heard.add("removed");
            }
        };
        engine.addListener(listener);
        engine.addListener(removed);
        engine.removeListener(removed);
        engine.close();
        engine.close();
        assertThat(heard).containsExactly("closed");
    }

    @Test
    void alert_firesOnceAndResolvesOnce() throws InterruptedException {
        ask("acme", 10);
        time.advance(Duration.ofSeconds(2));
        ask("acme", 10);
        time.advance(Duration.ofSeconds(2));
        AlertEvent fired = events.next();
        assertThat(fired.firing()).isTrue();
        assertThat(fired.alert().name()).isEqualTo("many-denied");
        assertThat(engine.firing()).extracting(event -> event.alert().name()).containsExactly("many-denied");
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
