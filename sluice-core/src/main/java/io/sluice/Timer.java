package io.sluice;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The daemon thread that wakes waiters and removes fresh keys. It starts when it is first needed. */
final class Timer {
    private static final ScheduledThreadPoolExecutor THREAD = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "sluice-timer");
        thread.setDaemon(true);
        return thread;
    });

    static {
        THREAD.setRemoveOnCancelPolicy(true);
    }

    private Timer() {}

    static Runnable schedule(long delayMicros, Runnable task) {
        ScheduledFuture<?> future = THREAD.schedule(task, delayMicros, TimeUnit.MICROSECONDS);
        return () -> future.cancel(false);
    }
}
