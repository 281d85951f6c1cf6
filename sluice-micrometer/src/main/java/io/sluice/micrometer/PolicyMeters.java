package io.sluice.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.sluice.Limit;
import io.sluice.policy.OutcomeCounters;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/*
 * Registering a meter is slow, and a file may have thousands of policies. So a change of the policies registers and removes
 * only what has changed. Values are read when the registry asks for them.
 */

/** The meters of one engine in one registry. Not thread-safe: {@link PolicyMetrics} has a lock. */
final class PolicyMeters {
    private final MeterRegistry registry;
    private final PolicyMetrics metrics;
    private final Timer latency;

    /** All meters but those of limits. */
    private final List<Meter> meters = new ArrayList<>();

    /** The policies that have counters. */
    private final Set<String> policies = new HashSet<>();

    private final Map<LimitSeries, List<Meter>> limits = new HashMap<>();

    /** The gauges of the policies whose limits follow a signal, by their names. */
    private final Map<String, Meter> factors = new HashMap<>();

    /** Registers the meters that do not depend on the policies. */
    PolicyMeters(MeterRegistry registry, PolicyMetrics metrics) {
        this.registry = registry;
        this.metrics = metrics;
        addOutcomes(
                "sluice.requests",
                "Requests by outcome",
                Tags.empty(),
                metrics.engine().requestCounters());
        meters.add(Gauge.builder(
                        "sluice.policy.version", metrics, one -> one.engine().version())
                .description("Version of the policies in force")
                .register(registry));
        meters.add(Gauge.builder(
                        "sluice.alerts.firing",
                        metrics,
                        one -> one.engine().firing().size())
                .description("Number of firing alerts")
                .register(registry));
        latency = Timer.builder("sluice.decision.latency")
                .description("Latency of decisions")
                .register(registry);
        meters.add(latency);
    }

    Timer latency() {
        return latency;
    }

    /** Registers the meters of new policies and limits, and removes those of limits that are gone. */
    void update() {
        metrics.counters().forEach((policy, counters) -> {
            if (policies.add(policy)) {
                addPolicy(Tags.of("policy", policy), counters);
            }
        });
        Set<LimitSeries> inForce = metrics.series();
        limits.entrySet().removeIf(entry -> {
            boolean gone = !inForce.contains(entry.getKey());
            if (gone) {
                entry.getValue().forEach(registry::remove);
            }
            return gone;
        });
        inForce.forEach(series -> limits.computeIfAbsent(series, this::addLimit));
        Set<String> adapting = metrics.engine().factors().keySet();
        factors.entrySet().removeIf(entry -> {
            boolean gone = !adapting.contains(entry.getKey());
            if (gone) {
                registry.remove(entry.getValue());
            }
            return gone;
        });
        adapting.forEach(policy -> factors.computeIfAbsent(policy, this::addFactor));
    }

    private Meter addFactor(String policy) {
        return Gauge.builder("sluice.limit.factor", metrics, one -> {
                    BigDecimal factor = one.engine().factors().get(policy);
                    return factor == null ? Double.NaN : factor.doubleValue();
                })
                .description("What the limits of a policy are multiplied by, because they follow a signal")
                .tag("policy", policy)
                .register(registry);
    }

    private void addPolicy(Tags tags, OutcomeCounters counters) {
        addOutcomes("sluice.decisions", "Decisions of each policy by outcome", tags, counters);
        add("sluice.permits", "Permits that requests took from each policy", tags, counters, OutcomeCounters::permits);
        add("sluice.debt", "Permits charged beyond the limit of each policy", tags, counters, OutcomeCounters::debt);
        add(
                "sluice.skipped",
                "Requests to which each concurrency policy did not apply, because they did not enter",
                tags,
                counters,
                OutcomeCounters::skipped);
        add("sluice.evictions", "Evicted keys of each policy", tags, counters, OutcomeCounters::evicted);
    }

    private void addOutcomes(String name, String description, Tags tags, OutcomeCounters counters) {
        add(name, description, tags.and("outcome", "allowed"), counters, OutcomeCounters::allowed);
        add(name, description, tags.and("outcome", "denied"), counters, OutcomeCounters::denied);
        add(name, description, tags.and("outcome", "shadow-denied"), counters, OutcomeCounters::shadowDenied);
        add(name, description, tags.and("outcome", "degraded"), counters, OutcomeCounters::degraded);
    }

    private void add(
            String name,
            String description,
            Tags tags,
            OutcomeCounters counters,
            ToDoubleFunction<OutcomeCounters> count) {
        meters.add(FunctionCounter.builder(name, counters, count)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private List<Meter> addLimit(LimitSeries series) {
        return List.of(
                gauge("sluice.limit", "Rate of each limit in permits per second", series, LimitRate::permitsPerSecond),
                gauge("sluice.limit.burst", "Most permits at once of each limit", series, LimitRate::burst));
    }

    private Meter gauge(String name, String description, LimitSeries series, ToDoubleFunction<Limit> number) {
        return Gauge.builder(name, metrics, one -> {
                    Limit limit = one.limit(series);
                    return limit == null ? Double.NaN : number.applyAsDouble(limit);
                })
                .description(description)
                .tags(series.tags())
                .register(registry);
    }

    void remove() {
        meters.forEach(registry::remove);
        factors.values().forEach(registry::remove);
        limits.values().forEach(pair -> pair.forEach(registry::remove));
    }
}
