package io.sluice.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.Limit;
import io.sluice.policy.LatencyListener;
import io.sluice.policy.LimitInForce;
import io.sluice.policy.OutcomeCounters;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyListener;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Meters of a policy engine for Micrometer.
 *
 * <pre>{@code
 * new PolicyMetrics(engine).bindTo(registry);
 * }</pre>
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th></tr>
 * <tr><td>{@code sluice.requests}</td><td>counter</td><td>{@code outcome}: allowed, denied,
 *     shadow-denied, degraded</td></tr>
 * <tr><td>{@code sluice.decisions}</td><td>counter</td><td>{@code policy}; {@code outcome}: allowed, denied,
 *     shadow-denied, degraded</td></tr>
 * <tr><td>{@code sluice.permits}</td><td>counter</td><td>{@code policy}</td></tr>
 * <tr><td>{@code sluice.debt}</td><td>counter</td><td>{@code policy}</td></tr>
 * <tr><td>{@code sluice.skipped}</td><td>counter</td><td>{@code policy}</td></tr>
 * <tr><td>{@code sluice.evictions}</td><td>counter</td><td>{@code policy}</td></tr>
 * <tr><td>{@code sluice.limit}</td><td>gauge</td><td>{@code policy}, {@code override}, {@code key}, {@code scope}</td></tr>
 * <tr><td>{@code sluice.limit.burst}</td><td>gauge</td><td>the same</td></tr>
 * <tr><td>{@code sluice.limit.factor}</td><td>gauge</td><td>{@code policy}</td></tr>
 * <tr><td>{@code sluice.decision.latency}</td><td>timer</td><td></td></tr>
 * <tr><td>{@code sluice.policy.version}</td><td>gauge</td><td></td></tr>
 * <tr><td>{@code sluice.alerts.firing}</td><td>gauge</td><td></td></tr>
 * </table>
 *
 * <p>Each decision has exactly one outcome; degraded decisions, allowed or not, were made without the store. Tags come from
 * the policy file: no value of a request ever becomes a tag. The registry reads the counters and limits when it needs them.
 * So decisions pay only for the timer, and only while a registry is bound. To add a histogram, use a {@code MeterFilter} of
 * the registry.
 *
 * <p>{@code sluice.limit} is the rate of a limit in permits per second, {@code sluice.limit.burst} the most permits at once;
 * 0 for {@code blocked}, infinite for {@code unlimited}. A concurrency limit has no rate ({@code NaN}); its burst is the number of
 * permits that may be held. {@code sluice.skipped} counts requests to which a policy with such a limit did not apply, because they did
 * not enter, see {@link PolicyEngine#enter(java.util.Map, long)}. {@code override} is the name of an override, empty for the policy's
 * own limit; overrides without a name have no gauge. {@code key} has the names of the attributes for whose values the limit
 * counts apart, as in {@code tenant,user}, and is empty if there is one limit for all requests. {@code scope} is {@code
 * shared} if the limit is one for all processes, {@code process} if each process has its own.
 *
 * <p>Meters of new policies come by themselves. The counters of a removed policy stay, and continue if the policy comes
 * back. Its gauges are removed. Everything is removed when the engine is closed.
 *
 * <p>Bind one engine to a registry, once: two would have the same meters. The engine keeps this object. Thread-safe.
 */
public final class PolicyMetrics implements MeterBinder, AutoCloseable {
    private final PolicyEngine engine;
    private final MultiRegistryTimer latency = new MultiRegistryTimer();
    private final LatencyListener recorder = latency::record;
    private final PolicyListener changes = new PolicyListener() {
        @Override
        public void replaced(Policies policies, long version) {
            policiesChanged();
        }

        @Override
        public void closed() {
            close();
        }
    };

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<MeterRegistry, PolicyMeters> bound = new LinkedHashMap<>();

    /** The limits at the last reading. */
    private volatile LimitIndex limits = new LimitIndex(List.of());

    /** The metrics of an engine. It is not measured before {@link #bindTo}. */
    public PolicyMetrics(PolicyEngine engine) {
        this.engine = Objects.requireNonNull(engine, "engine");
    }

    /** Registers the meters, also those of policies that come later. */
    @Override
    public void bindTo(MeterRegistry registry) {
        lock.lock();
        try {
            if (bound.containsKey(registry)) {
                return;
            }
            if (bound.isEmpty()) {
                // First listen, then read: so no change is missed.
                engine.addListener(changes);
                engine.addLatencyListener(recorder);
            }
            PolicyMeters meters = new PolicyMeters(registry, this);
            bound.put(registry, meters);
            meters.update();
            latency.add(meters.latency());
        } finally {
            lock.unlock();
        }
    }

    private void policiesChanged() {
        lock.lock();
        try {
            bound.values().forEach(PolicyMeters::update);
        } finally {
            lock.unlock();
        }
    }

    PolicyEngine engine() {
        return engine;
    }

    Map<String, OutcomeCounters> counters() {
        return engine.counters();
    }

    /** The series of the limits in force. */
    Set<LimitSeries> series() {
        return index().series();
    }

    /** The limit in force of a series; null if there is none any more. Registries call this, so it takes no lock. */
    @Nullable
    Limit limit(LimitSeries series) {
        return index().limit(series);
    }

    private LimitIndex index() {
        List<LimitInForce> now = engine.limits();
        LimitIndex known = limits;
        if (!known.isOf(now)) {
            known = new LimitIndex(now);
            limits = known;
        }
        return known;
    }

    /** Removes the meters from every registry. */
    @Override
    public void close() {
        lock.lock();
        try {
            engine.removeListener(changes);
            engine.removeLatencyListener(recorder);
            latency.clear();
            bound.values().forEach(PolicyMeters::remove);
            bound.clear();
        } finally {
            lock.unlock();
        }
    }
}
