package io.sluice.benchmarks.server;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/*
 * An event loop that waits for events is in the operating system, which the JVM calls runnable. In any other state it waits for
 * somebody else in the process, which it must not.
 */
/** Watches for how long event loops are blocked. */
final class StallWatch {
    private static final long EVERY_NANOS = 500_000;

    private final List<Thread> loops;
    private final AtomicLong longest = new AtomicLong();

    private StallWatch(List<Thread> loops) {
        this.loops = loops;
    }

    static StallWatch start() {
        StallWatch watch = new StallWatch(Thread.getAllStackTraces().keySet().stream()
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

    /** The longest since this was asked last, in microseconds. */
    long longestMicros() {
        return longest.getAndSet(0) / 1000;
    }
}
