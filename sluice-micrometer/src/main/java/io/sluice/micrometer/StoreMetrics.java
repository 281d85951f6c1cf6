package io.sluice.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.StoreListener;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Meters of the calls from a store to Redis, for Micrometer.
 *
 * <pre>{@code
 * StoreMetrics metrics = new StoreMetrics();
 * RedisStore store = RedisStore.builder()....listener(metrics).build();
 * metrics.bindTo(registry);
 * }</pre>
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>kind</th><th>what</th></tr>
 * <tr><td>{@code sluice.store.calls}</td><td>timer</td><td>script calls that were answered</td></tr>
 * <tr><td>{@code sluice.store.errors}</td><td>counter</td><td>script calls that failed or came too late</td></tr>
 * <tr><td>{@code sluice.store.requests}</td><td>counter</td><td>requests in those calls; {@code result}: answered,
 *     failed</td></tr>
 * <tr><td>{@code sluice.store.degraded}</td><td>counter</td><td>requests answered without Redis; {@code how}: allow,
 *     deny, local</td></tr>
 * <tr><td>{@code sluice.store.lost}</td><td>counter</td><td>refunds, penalties and resets that did not reach Redis</td></tr>
 * <tr><td>{@code sluice.store.denials.remembered}</td><td>counter</td><td>requests denied from memory</td></tr>
 * <tr><td>{@code sluice.store.limits.differ}</td><td>counter</td><td>limiters whose limits in force differ from their own</td></tr>
 * </table>
 *
 * <p>Names of limiters are not tags, because a store has all limiters of a program, and programs may build names from any
 * value. {@link LimiterMetrics} has them, for the limiters that you choose. Thread-safe.
 */
public final class StoreMetrics implements StoreListener, MeterBinder {
    private final MultiRegistryTimer calls = new MultiRegistryTimer();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final Map<OnFailure, LongAdder> degraded = new EnumMap<>(OnFailure.class);
    private final LongAdder lost = new LongAdder();
    private final LongAdder remembered = new LongAdder();
    private final LongAdder differ = new LongAdder();

    public StoreMetrics() {
        for (OnFailure how : OnFailure.values()) {
            degraded.put(how, new LongAdder());
        }
    }

    @Override
    public void called(int requests, long nanos) {
        answered.add(requests);
        calls.record(nanos);
    }

    @Override
    public void failed(int requests, Throwable cause) {
        failed.add(requests);
        errors.increment();
    }

    @Override
    public void degraded(String limiter, OnFailure how) {
        LongAdder adder = degraded.get(how);
        if (adder != null) {
            adder.increment();
        }
    }

    @Override
    public void lost(String limiter, String verb) {
        lost.increment();
    }

    @Override
    public void denialRemembered(String limiter) {
        remembered.increment();
    }

    @Override
    public void limitsDiffer(String limiter, List<Limit> brought, List<Limit> inForce) {
        differ.increment();
    }

    /** Registers the meters. The timer of calls starts now; the counters include everything since the start. */
    @Override
    public void bindTo(MeterRegistry registry) {
        calls.add(Timer.builder("sluice.store.calls")
                .description("Script calls that were answered")
                .register(registry));
        counter(registry, "sluice.store.errors", "Script calls that failed", Tags.empty(), errors);
        String requests = "Requests in script calls";
        counter(registry, "sluice.store.requests", requests, Tags.of("result", "answered"), answered);
        counter(registry, "sluice.store.requests", requests, Tags.of("result", "failed"), failed);
        degraded.forEach((how, adder) -> {
            Tags tags = Tags.of("how", how.name().toLowerCase(Locale.ROOT));
            counter(registry, "sluice.store.degraded", "Requests answered without Redis", tags, adder);
        });
        counter(registry, "sluice.store.lost", "Changes that did not reach Redis", Tags.empty(), lost);
        String denials = "Requests denied from memory";
        counter(registry, "sluice.store.denials.remembered", denials, Tags.empty(), remembered);
        String limits = "Limiters whose limits in force differ from their own";
        counter(registry, "sluice.store.limits.differ", limits, Tags.empty(), differ);
    }

    private static void counter(MeterRegistry registry, String name, String description, Tags tags, LongAdder adder) {
        FunctionCounter.builder(name, adder, LongAdder::sum)
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
