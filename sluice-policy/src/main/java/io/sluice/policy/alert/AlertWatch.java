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
 * Watches the counters for what alerts ask, once a second, and tells the log and the listeners when an alert begins to
 * fire and when it ends. Decisions pay nothing for it. Looks back on the alert's time, at least a second, right to within
 * half a second (or a 1200th); a watch that is younger looks back as far as it can, but says that there is too little of
 * something only when it has watched the whole time.
 *
 * <p>Thread-safe.
 */
public final class AlertWatch implements AutoCloseable {
    private static final long EVERY_MICROS = 1_000_000;

    private final TimeSource time;
    private final PolicyCounters requests;
    private final Supplier<Map<String, PolicyCounters>> policies;
    private final CopyOnWriteArrayList<AlertNotifier> notifiers = new CopyOnWriteArrayList<>();

    private final ReentrantLock lock = new ReentrantLock();
    private Map<Alert, WatchedAlert> watched = Map.of();
    private @Nullable Runnable cancelNext;
    private boolean closed;

    /**
     * Watches nothing yet.
     *
     * @param requests what was counted of all requests
     * @param policies what was counted of each policy, by name; asked anew every time
     */
    public AlertWatch(TimeSource time, PolicyCounters requests, Supplier<Map<String, PolicyCounters>> policies) {
        this.time = time;
        this.requests = requests;
        this.policies = policies;
        notifiers.add(new AlertNotifier(new AlertLog()));
    }

    /** Tells that listener too, of what happens from now on. */
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

    /** Tells that listener nothing more. */
    void remove(AlertListener listener) {
        for (AlertNotifier notifier : notifiers) {
            if (notifier.tells(listener) && notifiers.remove(notifier)) {
                notifier.stop();
            }
        }
    }

    /**
     * Watches these from now on. An alert that was there and is equal goes on as if nothing had happened; one that is no
     * more has ended.
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
                    tell(old.end(wallTime()));
                }
            });
            if (cancelNext == null) {
                scheduleNext();
            }
        } finally {
            lock.unlock();
        }
    }

    /** What was told of the alerts that fire now, in the order of the alerts. */
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

    private void look() {
        lock.lock();
        try {
            if (!closed) {
                lookAtAll();
                scheduleNext();
            }
        } finally {
            lock.unlock();
        }
    }

    private void lookAtAll() {
        Instant at = wallTime();
        for (WatchedAlert alert : watched.values()) {
            try {
                tell(alert.look(time.micros(), read(alert.alert()), at));
            } catch (RuntimeException e) {
                // Watching must go on: who would tell that it stopped?
                AlertLog.LOG.log(
                        Level.WARNING, "alert " + JsonText.quoted(alert.alert().name()) + " failed", e);
            }
        }
    }

    private void scheduleNext() {
        cancelNext = watched.isEmpty() ? null : time.schedule(EVERY_MICROS, this::look);
    }

    private Counts read(Alert alert) {
        PolicyCounters counters =
                alert.policy() == null ? requests : policies.get().get(alert.policy());
        return counters == null ? Counts.NONE : counters.read();
    }

    private Instant wallTime() {
        return Instant.EPOCH.plus(time.wallMicros(), ChronoUnit.MICROS);
    }

    private void tell(@Nullable AlertEvent event) {
        if (event != null) {
            notifiers.forEach(notifier -> notifier.tell(event));
        }
    }

    /** Watches and tells nothing more, not even what waits to be told. */
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
