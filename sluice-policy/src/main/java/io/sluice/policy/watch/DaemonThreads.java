package io.sluice.policy.watch;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Daemon threads for background work. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /**
     * An executor with one daemon thread of low priority, for reloads. Where the JVM maps priorities to the system's, decisions
     * come first. The thread ends when there is no work for 10 seconds.
     */
    public static ThreadPoolExecutor background(String name) {
        return single(name, Thread.MIN_PRIORITY);
    }

    /** An executor with one daemon thread, which ends when there is no work for 10 seconds. */
    public static ThreadPoolExecutor single(String name) {
        return single(name, Thread.NORM_PRIORITY);
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint only: nothing depends on the scheduler taking it
    private static ThreadPoolExecutor single(String name, int priority) {
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    thread.setPriority(priority);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
