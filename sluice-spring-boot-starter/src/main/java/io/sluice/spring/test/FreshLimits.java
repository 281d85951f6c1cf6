package io.sluice.spring.test;

import io.sluice.memory.MemoryStore;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;

/*
 * A memory store removes a key when it is fresh again. So the store is fresh when it has no keys, and time makes keys fresh. The
 * steps grow, because tasks that repeat run as often as they would have run in that time.
 */
/** Makes every key of the memory store fresh, by moving the manual time forward. */
final class FreshLimits {
    private static final List<Duration> STEPS = List.of(
            Duration.ofMinutes(2),
            Duration.ofHours(1),
            Duration.ofHours(2),
            Duration.ofDays(1),
            Duration.ofDays(2),
            Duration.ofDays(31),
            Duration.ofDays(366));

    private final ObjectProvider<ManualTime> time;
    private final ObjectProvider<MemoryStore> store;

    FreshLimits(ObjectProvider<ManualTime> time, ObjectProvider<MemoryStore> store) {
        this.time = time;
        this.store = store;
    }

    /**
     * Makes every key fresh. Does nothing without manual time or without a memory store.
     *
     * @throws IllegalStateException if a key is not fresh after more than a year
     */
    void reset() {
        ManualTime clock = time.getIfUnique();
        MemoryStore keys = store.getIfUnique();
        if (clock == null || keys == null) {
            return;
        }
        for (Duration step : STEPS) {
            if (keys.size() == 0) {
                return;
            }
            clock.advance(step);
        }
        if (keys.size() > 0) {
            throw new IllegalStateException("limits between test methods: " + keys.size()
                    + " keys are not fresh after a year (expected: limits with shorter periods; with others, put"
                    + " @DirtiesContext on the test methods)");
        }
    }
}
