package io.sluice.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.RateLimiter;
import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The meters of both stores. */
class StoreMetricsTest {
    private static final String HOSTILE = "evil\",how=\"x\"}\n# HELP 1";

    private final MeterRegistry registry = new SimpleMeterRegistry();

    private double counter(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
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
        StoreMetrics store = new StoreMetrics();
        store.bindTo(registry);
        MemoryStore memory = MemoryStore.create();
        new MemoryStoreMetrics(memory).bindTo(registry);
        memory.limiter(HOSTILE, Limit.parse("1/d")).tryAcquire(HOSTILE);
        store.degraded(HOSTILE, OnFailure.DENY);
        store.lost(HOSTILE, HOSTILE);
        store.denialRemembered(HOSTILE);
        store.failed(1, new IllegalStateException(HOSTILE));
        store.limitsDiffer(HOSTILE, List.of(), List.of());
        Set<String> tags = registry.getMeters().stream()
                .flatMap(meter -> meter.getId().getTags().stream())
                .map(tag -> tag.getKey() + "=" + tag.getValue())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(tags).containsExactly("how=allow", "how=deny", "how=local", "result=answered", "result=failed");
        memory.close();
    }
}
