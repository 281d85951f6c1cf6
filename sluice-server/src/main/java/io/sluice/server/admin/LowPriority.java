package io.sluice.server.admin;

import java.util.concurrent.Callable;

/*
 * To read and compile thousands of policies takes a processor for a second. Decisions are not to wait for that, on machines
 * with few processors too. The launcher and the image let the JVM map the lowest priority to a nice value of the system.
 */
/** Runs long work of a worker thread with the lowest priority, so that event loops come first. */
final class LowPriority {
    private LowPriority() {}

    @SuppressWarnings("ThreadPriorityCheck") // a hint only: nothing depends on the scheduler taking it
    static <T> T call(Callable<T> work) throws Exception {
        Thread thread = Thread.currentThread();
        int before = thread.getPriority();
        thread.setPriority(Thread.MIN_PRIORITY);
        try {
            return work.call();
        } finally {
            thread.setPriority(before);
        }
    }
}
