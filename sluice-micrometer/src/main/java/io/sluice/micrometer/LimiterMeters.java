package io.sluice.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.Decision;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** The meters of the limiters of one name, in all bound registries. Thread-safe. */
final class LimiterMeters {
    private final String name;
    private final LongAdder allowed = new LongAdder();
    private final LongAdder denied = new LongAdder();
    private final LongAdder degraded = new LongAdder();
    private final MultiRegistryTimer acquired = new MultiRegistryTimer();
    private final MultiRegistryTimer failed = new MultiRegistryTimer();

    LimiterMeters(String name) {
        this.name = name;
    }

    void count(Decision decision) {
        if (decision.degraded()) {
            degraded.increment();
        } else {
            (decision.allowed() ? allowed : denied).increment();
        }
    }

    void record(boolean isAcquired, Duration waited) {
        (isAcquired ? acquired : failed).record(waited.toNanos());
    }

    void bindTo(MeterRegistry registry) {
        counter(registry, "allowed", allowed);
        counter(registry, "denied", denied);
        counter(registry, "degraded", degraded);
        acquired.add(timer(registry, "acquired"));
        failed.add(timer(registry, "failed"));
    }

    private void counter(MeterRegistry registry, String outcome, LongAdder adder) {
        FunctionCounter.builder("sluice.limiter.decisions", adder, LongAdder::sum)
                .description("Decisions of each limiter by outcome")
                .tags("limiter", name, "outcome", outcome)
                .register(registry);
    }

    private Timer timer(MeterRegistry registry, String result) {
        return Timer.builder("sluice.limiter.waits")
                .description("Calls that may wait")
                .tags("limiter", name, "result", result)
                .register(registry);
    }
}
