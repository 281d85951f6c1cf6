package io.sluice.policy.alert;

import io.sluice.policy.AlertEvent;
import io.sluice.policy.AlertListener;
import java.lang.System.Logger.Level;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells one listener, on a daemon thread that is there only while there is something to tell. A listener that blocks
 * delays nobody else; what waits for it is bounded, and the oldest makes room, so that the last it hears is how things are.
 */
final class AlertNotifier {
    static final int MOST_WAITING = 100;

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
                new ArrayBlockingQueue<>(MOST_WAITING),
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

    boolean tells(AlertListener other) {
        return listener == other;
    }

    /** Returns at once. */
    void tell(AlertEvent event) {
        thread.execute(() -> call(event));
    }

    // A listener is foreign code: whatever it throws must neither stop the next event nor go unseen.
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

    /** Tells nothing more; a listener that is being told is interrupted. */
    void stop() {
        thread.shutdownNow();
    }
}
