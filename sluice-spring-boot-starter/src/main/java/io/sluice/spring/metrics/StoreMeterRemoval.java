package io.sluice.spring.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/*
 * The binders of stores do not remove their meters. A registry that outlives the application context, such as the global one,
 * would go on to read a closed store, and would not accept the meters of the next one. Spring Boot binds this binder to the same
 * registries as theirs.
 */
/** Binds nothing. Removes the meters of the store from every registry when it is closed. */
final class StoreMeterRemoval implements MeterBinder, AutoCloseable {
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();

    @Override
    public void bindTo(MeterRegistry registry) {
        registries.add(registry);
    }

    @Override
    public void close() {
        for (MeterRegistry registry : registries) {
            for (Meter meter : registry.getMeters()) {
                if (isOfStore(meter.getId().getName())) {
                    registry.remove(meter);
                }
            }
        }
    }

    private static boolean isOfStore(String name) {
        return name.startsWith("sluice.store.") || name.equals("sluice.keys") || name.equals("sluice.keys.evictions");
    }
}
