package io.sluice.policy.alert;

import io.sluice.policy.AlertEvent;
import io.sluice.policy.AlertListener;
import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Delivers alert events to one listener, on a daemon thread that ends when it is idle. A blocking listener delays no
 * other listener. The queue is bounded: the oldest events are dropped, so that the last event always shows the current
 * state.
 */
final class AlertNotifier {
    static final int MAX_WAITING = 100;

    private static final long IDLE_SECONDS = 5;

    private final AlertListener listener;
    private final AtomicLong dropped = new AtomicLong();
    private final ThreadPoolExecutor thread;

    AlertNotifier(AlertListener listener) {
        this.listener = listener;
        thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_WAITING),
                AlertNotifier::daemon,
                this::makeRoom);
        thread.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "sluice-alerts");
        thread.setDaemon(true);
        return thread;
    }

    private void makeRoom(Runnable task, ThreadPoolExecutor full) {
        if (full.isShutdown()) {
            return;
        }
        if (full.getQueue().poll() != null) {
            dropped.incrementAndGet();
        }
        full.execute(task);
    }

    boolean isFor(AlertListener other) {
        return listener == other;
    }

    /** Queues an event; never blocks. */
    void send(AlertEvent event) {
        thread.execute(() -> call(event));
    }

    // A listener is foreign code: no exception may stop the next event, and each must be logged.
    private void call(AlertEvent event) {
        long lost = dropped.getAndSet(0);
        if (lost > 0) {
            AlertLog.LOG.log(Level.WARNING, "alert listener " + listener + " is too slow: " + lost + " events dropped");
        }
        try {
            listener.changed(event);
        } catch (Throwable e) {
            AlertLog.LOG.log(Level.WARNING, "alert listener " + listener + " failed on: " + AlertLog.text(event), e);
        }
    }

    /** Drops all waiting events, and interrupts a listener that is running. */
    void stop() {
        thread.shutdownNow();
    }
}
