package io.sluice.policy.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.memory.MemoryStore;
import java.util.Objects;

/**
 * What a memory store holds, for Micrometer: the gauge {@code sluice.keys}, how many keys have state, and the counter
 * {@code sluice.keys.evictions}, how many lost theirs because there were too many. Neither has tags;
 * by policy, evictions are among {@link SluiceMetrics}.
 *
 * <pre>{@code
 * new MemoryStoreMetrics(store).bindTo(registry);
 * }</pre>
 */
public final class MemoryStoreMetrics implements MeterBinder {
    private final MemoryStore store;

    /** The registry refers to the store weakly. */
    public MemoryStoreMetrics(MemoryStore store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("sluice.keys", store, MemoryStore::size)
                .description("Keys that have state")
                .register(registry);
        FunctionCounter.builder("sluice.keys.evictions", store, MemoryStore::evictions)
                .description("Keys that lost state because there were too many")
                .register(registry);
    }
}
