package io.sluice.benchmarks.server;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/*
 * An event loop that waits for events is inside the operating system, and the JVM reports it as runnable. In any other state
 * it waits for another thread of the process, which an event loop must never do.
 */
/** Measures how long event loops are blocked. */
final class EventLoopStalls {
    private static final long EVERY_NANOS = 500_000;

    private final List<Thread> loops;
    private final AtomicLong longest = new AtomicLong();

    private EventLoopStalls(List<Thread> loops) {
        this.loops = loops;
    }

    static EventLoopStalls start() {
        EventLoopStalls watch = new EventLoopStalls(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("vert.x-eventloop-thread-"))
                .toList());
        Thread thread = new Thread(watch::run, "stall-watch");
        thread.setDaemon(true);
        thread.start();
        return watch;
    }

    private void run() {
        long[] since = new long[loops.size()];
        while (true) {
            LockSupport.parkNanos(EVERY_NANOS);
            long now = System.nanoTime();
            for (int i = 0; i < since.length; i++) {
                if (loops.get(i).getState() == Thread.State.RUNNABLE) {
                    since[i] = 0;
                } else if (since[i] == 0) {
                    since[i] = now;
                } else {
                    longest.accumulateAndGet(now - since[i], Math::max);
                }
            }
        }
    }

    /** The longest stall since the last call, in microseconds. */
    long longestMicros() {
        return longest.getAndSet(0) / 1000;
    }
}
