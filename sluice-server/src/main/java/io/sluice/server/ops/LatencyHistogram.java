package io.sluice.server.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.util.Set;
import java.util.stream.LongStream;

/** Adds buckets to the timers of decisions and of calls to Redis. */
final class LatencyHistogram implements MeterFilter {
    private static final Set<String> TIMERS = Set.of("sluice.decision.latency", "sluice.store.calls");

    /** From a decision in memory to a call that came late. */
    private static final double[] BUCKETS_NANOS = LongStream.of(
                    5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000)
            .mapToDouble(micros -> micros * 1000.0)
            .toArray();

    @Override
    public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
        return TIMERS.contains(id.getName())
                ? DistributionStatisticConfig.builder()
                        .serviceLevelObjectives(BUCKETS_NANOS)
                        .build()
                        .merge(config)
                : config;
    }
}
