package io.sluice.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.Decision;
import io.sluice.LimiterListener;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Meters of limiters for Micrometer. It is the listener of the limiters to measure, of one or of several.
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>kind</th><th>tags</th></tr>
 * <tr><td>{@code sluice.limiter.decisions}</td><td>counter</td><td>{@code limiter}; {@code outcome}: allowed, denied,
 *     degraded</td></tr>
 * <tr><td>{@code sluice.limiter.waits}</td><td>timer</td><td>{@code limiter}; {@code result}: acquired, failed</td></tr>
 * </table>
 *
 * <p>Each decision has exactly one outcome; degraded decisions, allowed or not, were made without the store. The timer has
 * the calls that may wait, {@code acquire} and {@code tryAcquire} with a timeout, also those that did not have to wait.
 *
 * <p>The tag {@code limiter} is the name of the limiter. The first {@value #MAX_LIMITERS} names have meters of their own, the
 * others share those of {@value #OTHER}: so a program that builds names from values of requests cannot fill the registry.
 * Keys are never tags. The meters of a limiter are registered with its first decision. Thread-safe.
 */
public final class LimiterMetrics implements LimiterListener, MeterBinder {
    /** The most names that have meters of their own. */
    public static final int MAX_LIMITERS = 1000;

    /** The tag of all limiters beyond {@link #MAX_LIMITERS}. */
    public static final String OTHER = "other";

    private final Map<String, LimiterMeters> limiters = new ConcurrentHashMap<>();

    /** The meters of the limiters beyond the maximum; null before there is one. */
    private volatile @Nullable LimiterMeters other;

    private final ReentrantLock lock = new ReentrantLock();
    private final Set<MeterRegistry> registries = new LinkedHashSet<>();

    /** Metrics without limiters: add it to them as a listener. */
    public LimiterMetrics() {}

    @Override
    public void decided(String limiter, String key, long permits, Decision decision) {
        meters(limiter).count(decision);
    }

    @Override
    public void waited(String limiter, String key, long permits, boolean acquired, Duration waited) {
        meters(limiter).record(acquired, waited);
    }

    /** Registers the meters, also those of limiters that come later. The timers start now; the counters include all. */
    @Override
    public void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        lock.lock();
        try {
            if (registries.add(registry)) {
                limiters.values().forEach(meters -> meters.bindTo(registry));
                LimiterMeters rest = other;
                if (rest != null && !limiters.containsValue(rest)) {
                    rest.bindTo(registry);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private LimiterMeters meters(String limiter) {
        LimiterMeters known = limiters.get(limiter);
        if (known == null) {
            known = other;
        }
        return known == null ? add(limiter) : known;
    }

    /** Until the maximum is reached, {@link #other} is null, and every unknown name comes here. */
    private LimiterMeters add(String limiter) {
        lock.lock();
        try {
            LimiterMeters known = limiters.get(limiter);
            if (known != null) {
                return known;
            }
            if (limiters.size() < MAX_LIMITERS) {
                LimiterMeters meters = new LimiterMeters(limiter);
                registries.forEach(meters::bindTo);
                limiters.put(limiter, meters);
                return meters;
            }
            LimiterMeters rest = other;
            if (rest == null) {
                // A limiter may really have this name.
                rest = limiters.get(OTHER);
                if (rest == null) {
                    rest = new LimiterMeters(OTHER);
                    registries.forEach(rest::bindTo);
                }
                other = rest;
            }
            return rest;
        } finally {
            lock.unlock();
        }
    }
}
