package io.sluice.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.memory.MemoryStore;
import java.util.Objects;

/**
 * Meters of a memory store for Micrometer: the gauge {@code sluice.keys}, the number of keys with state, and the
 * counter {@code sluice.keys.evictions}, the number of evicted keys. Both have no tags. {@code PolicyMetrics} has the
 * evictions of each policy.
 *
 * <pre>{@code
 * new MemoryStoreMetrics(store).bindTo(registry);
 * }</pre>
 */
public final class MemoryStoreMetrics implements MeterBinder {
    private final MemoryStore store;

    /** Registries refer to the store weakly. */
    public MemoryStoreMetrics(MemoryStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("sluice.keys", store, MemoryStore::size)
                .description("Keys with state")
                .register(registry);
        FunctionCounter.builder("sluice.keys.evictions", store, MemoryStore::evictions)
                .description("Evicted keys")
                .register(registry);
    }
}
