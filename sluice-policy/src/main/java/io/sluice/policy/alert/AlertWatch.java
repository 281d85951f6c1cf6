package io.sluice.policy.alert;

import io.sluice.TimeSource;
import io.sluice.policy.Alert;
import io.sluice.policy.AlertEvent;
import io.sluice.policy.AlertListener;
import io.sluice.policy.Counts;
import io.sluice.policy.JsonText;
import io.sluice.policy.metrics.PolicyCounters;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the alerts once a second on the counters of decisions. Tells the log and the listeners when an alert starts
 * to fire and when it stops. Decisions pay nothing for it. The period of an alert, at least a second, is exact to half
 * a second (or to a 1200th). A younger watch looks back to its start; a condition that holds when a count is too small
 * is evaluated only after a whole period.
 *
 * <p>Thread-safe.
 */
public final class AlertWatch implements AutoCloseable {
    private static final long INTERVAL_MICROS = 1_000_000;

    private final TimeSource time;
    private final PolicyCounters requests;
    private final Supplier<Map<String, PolicyCounters>> policies;
    private final CopyOnWriteArrayList<AlertNotifier> notifiers = new CopyOnWriteArrayList<>();

    private final ReentrantLock lock = new ReentrantLock();
    private Map<Alert, WatchedAlert> watched = Map.of();
    private @Nullable Runnable cancelNext;
    private boolean closed;

    /**
     * Creates a watch without alerts.
     *
     * @param requests the counters of all requests
     * @param policies supplies the counters of each policy, by name
     */
    public AlertWatch(TimeSource time, PolicyCounters requests, Supplier<Map<String, PolicyCounters>> policies) {
        this.time = time;
        this.requests = requests;
        this.policies = policies;
        notifiers.add(new AlertNotifier(new AlertLog()));
    }

    /** Adds a listener for events from now on. */
    public void add(AlertListener listener) {
        lock.lock();
        try {
            if (!closed) {
                notifiers.add(new AlertNotifier(listener));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Removes a listener. */
    void remove(AlertListener listener) {
        for (AlertNotifier notifier : notifiers) {
            if (notifier.isFor(listener) && notifiers.remove(notifier)) {
                notifier.stop();
            }
        }
    }

    /**
     * Replaces the alerts. An alert that equals an earlier one keeps its history and state. A removed alert that fires
     * is reported as ended.
     */
    public void watch(List<Alert> alerts) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Map<Alert, WatchedAlert> before = watched;
            Map<Alert, WatchedAlert> after = new LinkedHashMap<>();
            long now = time.micros();
            for (Alert alert : alerts) {
                WatchedAlert known = before.get(alert);
                after.put(alert, known == null ? new WatchedAlert(alert, now, read(alert)) : known);
            }
            watched = after;
            before.forEach((alert, old) -> {
                if (!after.containsKey(alert)) {
                    send(old.end(wallTime()));
                }
            });
            if (cancelNext == null) {
                scheduleNext();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The events of the alerts that fire now, in the order of the alerts. */
    public List<AlertEvent> firing() {
        lock.lock();
        try {
            return watched.values().stream()
                    .map(WatchedAlert::firing)
                    .filter(Objects::nonNull)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private void evaluate() {
        lock.lock();
        try {
            if (!closed) {
                evaluateAll();
                scheduleNext();
            }
        } finally {
            lock.unlock();
        }
    }

    private void evaluateAll() {
        Instant at = wallTime();
        for (WatchedAlert alert : watched.values()) {
            try {
                send(alert.evaluate(time.micros(), read(alert.alert()), at));
            } catch (RuntimeException e) {
                // The watch must go on: nobody would notice that it has stopped.
                AlertLog.LOG.log(
                        Level.WARNING, "alert " + JsonText.quoted(alert.alert().name()) + " failed", e);
            }
        }
    }

    private void scheduleNext() {
        cancelNext = watched.isEmpty() ? null : time.schedule(INTERVAL_MICROS, this::evaluate);
    }

    private Counts read(Alert alert) {
        PolicyCounters counters =
                alert.policy() == null ? requests : policies.get().get(alert.policy());
        return counters == null ? Counts.NONE : counters.read();
    }

    private Instant wallTime() {
        return Instant.EPOCH.plus(time.wallMicros(), ChronoUnit.MICROS);
    }

    private void send(@Nullable AlertEvent event) {
        if (event != null) {
            notifiers.forEach(notifier -> notifier.send(event));
        }
    }

    /** Stops the watch. Events that wait for listeners are dropped. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            watched = Map.of();
            if (cancelNext != null) {
                cancelNext.run();
            }
            notifiers.forEach(AlertNotifier::stop);
        } finally {
            lock.unlock();
        }
    }
}
