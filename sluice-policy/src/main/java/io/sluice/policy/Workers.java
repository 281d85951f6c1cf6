package io.sluice.policy;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads for what must not be done on a caller's. */
final class Workers {
    private Workers() {}

    /**
     * A daemon thread of low priority, for reloads: where the JVM maps priorities, decisions come first. It ends when it has no work.
     */
    static ThreadPoolExecutor background(String name) {
        return single(name, Thread.MIN_PRIORITY);
    }

    /** A daemon thread for work that requests wait for. It ends when it has no work. */
    static ThreadPoolExecutor single(String name) {
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
