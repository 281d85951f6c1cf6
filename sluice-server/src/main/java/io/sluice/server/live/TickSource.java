package io.sluice.server.live;

import io.sluice.policy.AlertEvent;
import io.sluice.policy.DecisionCounts;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.live.ReplicaTick.FiringAlert;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Makes the ticks of this replica from the counters of its engine. Not thread-safe. */
final class TickSource {
    private static final int MAX_ALERTS = 20;

    private final PolicyEngine engine;
    private final BooleanSupplier storeReachable;
    private final String id;
    private final String name;
    private final String version;
    private final Latencies latencies = new Latencies();
    private DecisionCounts previous;

    TickSource(PolicyEngine engine, BooleanSupplier storeReachable, String id, String name, String version) {
        this.engine = engine;
        this.storeReachable = storeReachable;
        this.id = id;
        this.name = name;
        this.version = version;
        previous = engine.counts();
        engine.addLatencyListener(latencies);
    }

    /** What happened since the last call. */
    ReplicaTick next(long end) {
        DecisionCounts now = engine.counts();
        DecisionCounts recent = now.since(previous);
        previous = now;
        Tick tick = Tick.of(end, recent.requests(), recent.policies(), latencies.take(), storeReachable.getAsBoolean());
        List<FiringAlert> alerts = engine.firing().stream()
                .limit(MAX_ALERTS)
                .map(TickSource::alert)
                .toList();
        return new ReplicaTick(id, name, version, alerts, tick);
    }

    private static FiringAlert alert(AlertEvent event) {
        String policy = event.alert().policy();
        return new FiringAlert(
                event.alert().name(),
                policy == null ? "" : policy,
                event.alert().when().toString(),
                event.at().toString());
    }

    void close() {
        engine.removeLatencyListener(latencies);
    }
}
