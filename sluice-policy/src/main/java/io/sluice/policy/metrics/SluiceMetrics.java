package io.sluice.policy.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Meters of an engine's decisions for Micrometer.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th></tr>
 * <tr><td>{@code sluice.requests}</td><td>counter</td><td>{@code outcome}: allowed, denied,
 *     shadow-denied, degraded</td></tr>
 * <tr><td>{@code sluice.decisions}</td><td>counter</td><td>{@code policy}; {@code outcome}: allowed, denied,
 *     shadow-denied, degraded</td></tr>
 * <tr><td>{@code sluice.evictions}</td><td>counter</td><td>{@code policy}</td></tr>
 * <tr><td>{@code sluice.decision.latency}</td><td>timer</td><td></td></tr>
 * <tr><td>{@code sluice.policy.version}</td><td>gauge</td><td></td></tr>
 * <tr><td>{@code sluice.alerts.firing}</td><td>gauge</td><td></td></tr>
 * </table>
 *
 * <p>Each decision has exactly one outcome; degraded decisions, allowed or not, were made without the store. There are
 * no other tags, and the names of policies come from the policy file: no value of a request ever becomes a tag. The
 * registry reads the counters when it needs them. So decisions pay only for the timer, and only while a registry is
 * bound. The counters of a removed policy stay, and continue if the policy comes back. To add a histogram, use a {@code
 * MeterFilter} of the registry.
 *
 * <p>Bind one engine to a registry: two engines would have the same meters. Thread-safe.
 */
public final class SluiceMetrics implements MeterBinder, AutoCloseable {
    private final PolicyCounters requests;
    private final Supplier<Map<String, PolicyCounters>> policies;
    private final LongSupplier version;
    private final LongSupplier alertsFiring;
    private final MultiRegistryTimer latency = new MultiRegistryTimer();

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<MeterRegistry, Set<Meter>> bound = new LinkedHashMap<>();

    /**
     * The engine creates it. Registries refer to it weakly, so the engine must keep it.
     *
     * @param requests the counters of all requests
     * @param policies supplies the counters of each policy, by name
     * @param version reads the version of the active policies
     * @param alertsFiring reads the number of alerts that fire
     */
    public SluiceMetrics(
            PolicyCounters requests,
            Supplier<Map<String, PolicyCounters>> policies,
            LongSupplier version,
            LongSupplier alertsFiring) {
        this.requests = requests;
        this.policies = policies;
        this.version = version;
        this.alertsFiring = alertsFiring;
    }

    /** Registers the meters, also those of policies that come later. */
    @Override
    public void bindTo(MeterRegistry registry) {
        lock.lock();
        try {
            if (bound.containsKey(registry)) {
                return;
            }
            Set<Meter> meters = new LinkedHashSet<>();
            bound.put(registry, meters);
            addRequests(registry, meters);
            addPolicies(registry, meters);
            meters.add(Gauge.builder("sluice.policy.version", this, metrics -> metrics.version.getAsLong())
                    .description("Version of the policies in force")
                    .register(registry));
            meters.add(Gauge.builder("sluice.alerts.firing", this, metrics -> metrics.alertsFiring.getAsLong())
                    .description("Number of firing alerts")
                    .register(registry));
            Timer timer = Timer.builder("sluice.decision.latency")
                    .description("Latency of decisions")
                    .register(registry);
            meters.add(timer);
            latency.add(timer);
        } finally {
            lock.unlock();
        }
    }

    /** Registers the meters of new policies. The engine calls this when policies have changed. */
    public void policiesChanged() {
        lock.lock();
        try {
            bound.forEach(this::addPolicies);
        } finally {
            lock.unlock();
        }
    }

    /** Whether a registry measures the latency of decisions. The engine asks before each decision. */
    public boolean isTimed() {
        return !latency.isEmpty();
    }

    /** Records the latency of a decision. The engine calls this. */
    public void record(long nanos) {
        latency.record(nanos);
    }

    private void addRequests(MeterRegistry registry, Set<Meter> meters) {
        String name = "sluice.requests";
        String description = "Requests by outcome";
        meters.add(counter(registry, name, description, Tags.empty(), "allowed", requests, one -> one.allowed.sum()));
        meters.add(counter(registry, name, description, Tags.empty(), "denied", requests, one -> one.denied.sum()));
        meters.add(counter(
                registry, name, description, Tags.empty(), "shadow-denied", requests, one -> one.shadowDenied.sum()));
        meters.add(counter(registry, name, description, Tags.empty(), "degraded", requests, PolicyCounters::degraded));
    }

    private void addPolicies(MeterRegistry registry, Set<Meter> meters) {
        String name = "sluice.decisions";
        String description = "Decisions of each policy by outcome";
        Set<String> known = new HashSet<>();
        meters.forEach(meter -> {
            String policy = meter.getId().getTag("policy");
            if (policy != null) {
                known.add(policy);
            }
        });
        policies.get().forEach((policy, counters) -> {
            if (known.contains(policy)) {
                // Micrometer would warn of duplicate meters.
                return;
            }
            Tags tags = Tags.of("policy", policy);
            meters.add(counter(registry, name, description, tags, "allowed", counters, one -> one.allowed.sum()));
            meters.add(counter(registry, name, description, tags, "denied", counters, one -> one.denied.sum()));
            meters.add(counter(
                    registry, name, description, tags, "shadow-denied", counters, one -> one.shadowDenied.sum()));
            meters.add(counter(registry, name, description, tags, "degraded", counters, PolicyCounters::degraded));
            meters.add(FunctionCounter.builder("sluice.evictions", counters, PolicyCounters::evicted)
                    .description("Evicted keys of each policy")
                    .tags(tags)
                    .register(registry));
        });
    }

    private static Meter counter(
            MeterRegistry registry,
            String name,
            String description,
            Tags tags,
            String outcome,
            PolicyCounters counters,
            ToDoubleFunction<PolicyCounters> count) {
        return FunctionCounter.builder(name, counters, count)
                .description(description)
                .tags(tags.and("outcome", outcome))
                .register(registry);
    }

    /** Removes the meters from every registry. */
    @Override
    public void close() {
        lock.lock();
        try {
            latency.clear();
            bound.forEach((registry, meters) -> meters.forEach(registry::remove));
            bound.clear();
        } finally {
            lock.unlock();
        }
    }
}
