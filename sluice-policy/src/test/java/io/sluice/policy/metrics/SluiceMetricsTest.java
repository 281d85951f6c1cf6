package io.sluice.policy.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.Mode;
import io.sluice.testkit.ManualTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SluiceMetricsTest {
    private static final String HOSTILE = "evil\",outcome=\"x\"}\n# HELP 1";

    private final PolicyCounters requests = new PolicyCounters();
    private final Map<String, PolicyCounters> policies = new ConcurrentHashMap<>();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private long version = 1;
    private final SluiceMetrics metrics = new SluiceMetrics(requests, () -> policies, () -> version, () -> 2);

    private double decisions(String policy, String outcome) {
        return registry.get("sluice.decisions")
                .tags("policy", policy, "outcome", outcome)
                .functionCounter()
                .count();
    }

    private double requests(String outcome) {
        return registry.get("sluice.requests")
                .tag("outcome", outcome)
                .functionCounter()
                .count();
    }

    private double counter(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    private static void decide(PolicyCounters counters, Mode mode) {
        Decision denied = Decision.denied(0, 1, 1);
        counters.count(mode, Decision.allowed(1, 0, 0));
        counters.count(mode, denied);
        counters.count(mode, denied.asDegraded());
    }

    @Test
    void decisions_everyOutcome_isCountedOnce() {
        policies.put("login", new PolicyCounters());
        policies.put("try", new PolicyCounters());
        metrics.bindTo(registry);
        decide(policies.get("login"), Mode.ENFORCE);
        decide(policies.get("try"), Mode.SHADOW);
        for (String policy : policies.keySet()) {
            assertThat(decisions(policy, "allowed")).isEqualTo(1);
            assertThat(decisions(policy, "denied")).isEqualTo(policy.equals("login") ? 1 : 0);
            assertThat(decisions(policy, "shadow-denied")).isEqualTo(policy.equals("login") ? 0 : 1);
            assertThat(decisions(policy, "degraded")).isEqualTo(1);
        }
    }

    @Test
    void requests_everyOutcome_isCountedOnce() {
        metrics.bindTo(registry);
        requests.count(true, false);
        requests.count(true, false);
        requests.count(false, false);
        requests.count(true, true);
        requests.count(false, true);
        assertThat(requests("allowed")).isEqualTo(2);
        assertThat(requests("denied")).isEqualTo(1);
        assertThat(requests("degraded")).isEqualTo(2);
    }

    @Test
    void policiesChanged_addedAndRemoved_haveMeters() {
        PolicyCounters old = new PolicyCounters();
        policies.put("old", old);
        metrics.bindTo(registry);
        old.allowed.add(5);
        policies.remove("old");
        policies.put("new", new PolicyCounters());
        metrics.policiesChanged();
        policies.get("new").denied.add(3);
        assertThat(decisions("new", "denied")).isEqualTo(3);
        assertThat(decisions("old", "allowed")).isEqualTo(5);

        policies.put("old", old);
        metrics.policiesChanged();
        old.allowed.increment();
        assertThat(decisions("old", "allowed")).isEqualTo(6);
    }

    @Test
    void gauges_always_showTheEngine() {
        metrics.bindTo(registry);
        assertThat(registry.get("sluice.policy.version").gauge().value()).isEqualTo(1);
        version = 7;
        assertThat(registry.get("sluice.policy.version").gauge().value()).isEqualTo(7);
        assertThat(registry.get("sluice.alerts.firing").gauge().value()).isEqualTo(2);
    }

    @Test
    void latency_noRegistry_isNotTimed() {
        assertThat(metrics.isTimed()).isFalse();
        metrics.record(1);
        metrics.bindTo(registry);
        assertThat(metrics.isTimed()).isTrue();
        metrics.record(1500);
        assertThat(registry.get("sluice.decision.latency").timer().count()).isEqualTo(1);
        assertThat(registry.get("sluice.decision.latency").timer().totalTime(TimeUnit.NANOSECONDS))
                .isEqualTo(1500);
    }

    @Test
    void bindTo_twoRegistriesAndTwice_eachShowsAllOnce() {
        MeterRegistry other = new SimpleMeterRegistry();
        metrics.bindTo(registry);
        metrics.bindTo(other);
        metrics.bindTo(registry);
        metrics.record(1);
        requests.count(true, false);
        for (MeterRegistry each : List.of(registry, other)) {
            assertThat(each.get("sluice.decision.latency").timer().count()).isEqualTo(1);
            assertThat(each.get("sluice.requests")
                            .tag("outcome", "allowed")
                            .functionCounter()
                            .count())
                    .isEqualTo(1);
        }
    }

    @Test
    void close_bound_removesItsMeters() {
        policies.put("login", new PolicyCounters());
        metrics.bindTo(registry);
        registry.counter("another");
        metrics.close();
        assertThat(registry.getMeters()).hasSize(1);
        assertThat(metrics.isTimed()).isFalse();
    }

    @Test
    void storeMetrics_everyEvent_isCounted() {
        StoreMetrics store = new StoreMetrics();
        store.called(1, 1);
        store.bindTo(registry);
        store.called(3, 2_000_000);
        store.failed(5, new IllegalStateException("late"));
        store.degraded("api", OnFailure.LOCAL);
        store.degraded("api", OnFailure.ALLOW);
        store.degraded("api", OnFailure.ALLOW);
        store.lost("api", "refund");
        store.denialRemembered("api");
        store.limitsDiffer("api", List.of(Limit.unlimited()), List.of(Limit.blocked()));
        assertThat(registry.get("sluice.store.calls").timer().count()).isEqualTo(1);
        assertThat(registry.get("sluice.store.calls").timer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(2);
        assertThat(counter("sluice.store.errors")).isEqualTo(1);
        assertThat(counter("sluice.store.requests", "result", "answered")).isEqualTo(4);
        assertThat(counter("sluice.store.requests", "result", "failed")).isEqualTo(5);
        assertThat(counter("sluice.store.degraded", "how", "allow")).isEqualTo(2);
        assertThat(counter("sluice.store.degraded", "how", "deny")).isZero();
        assertThat(counter("sluice.store.degraded", "how", "local")).isEqualTo(1);
        assertThat(counter("sluice.store.lost")).isEqualTo(1);
        assertThat(counter("sluice.store.denials.remembered")).isEqualTo(1);
        assertThat(counter("sluice.store.limits.differ")).isEqualTo(1);
    }

    @Test
    void memoryStoreMetrics_keysComeAndGo_areCounted() {
        ManualTime time = new ManualTime();
        MemoryStore store = MemoryStore.builder().time(time).maxKeys(100).build();
        new MemoryStoreMetrics(store).bindTo(registry);
        RateLimiter limiter = store.limiter("api", Limit.parse("5/d"));
        for (int i = 0; i < 1000; i++) {
            limiter.tryAcquire("key" + i);
        }
        assertThat(registry.get("sluice.keys").gauge().value())
                .isEqualTo((double) store.size())
                .isPositive();
        assertThat(counter("sluice.keys.evictions"))
                .isEqualTo((double) store.evictions())
                .isPositive();
        store.close();
    }

    @Test
    void tags_hostileNamesAndKeys_areAbsent() {
        policies.put("login", new PolicyCounters());
        metrics.bindTo(registry);
        StoreMetrics store = new StoreMetrics();
        store.bindTo(registry);
        MemoryStore memory = MemoryStore.create();
        new MemoryStoreMetrics(memory).bindTo(registry);

        memory.limiter(HOSTILE, Limit.parse("1/d")).tryAcquire(HOSTILE);
        decide(policies.get("login"), Mode.ENFORCE);
        metrics.policiesChanged();
        store.degraded(HOSTILE, OnFailure.DENY);
        store.lost(HOSTILE, HOSTILE);
        store.denialRemembered(HOSTILE);
        store.failed(1, new IllegalStateException(HOSTILE));
        store.limitsDiffer(HOSTILE, List.of(), List.of());

        Map<String, Set<String>> tags = registry.getMeters().stream()
                .map(Meter::getId)
                .flatMap(id -> id.getTags().stream())
                .collect(Collectors.groupingBy(Tag::getKey, Collectors.mapping(Tag::getValue, Collectors.toSet())));
        assertThat(tags)
                .isEqualTo(Map.of(
                        "policy", Set.of("login"),
                        "outcome", Set.of("allowed", "denied", "shadow-denied", "degraded"),
                        "result", Set.of("answered", "failed"),
                        "how", Set.of("allow", "deny", "local")));
        memory.close();
    }
}
