package io.sluice.testkit;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Scheduled tasks in the order of their due times. Thread-safe; the lock is not held while a task runs. */
final class TaskQueue {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final class Task {
        final long due;
        final long number;
        final Runnable action;

        Task(long due, long number, Runnable action) {
            this.due = due;
            this.number = number;
            this.action = action;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>(
            Comparator.<Task>comparingLong(task -> task.due).thenComparingLong(task -> task.number));
    private long count;

    /** Adds a task and returns an action that removes it, unless it has already started. */
    Runnable add(long now, long delay, Runnable action) {
        lock.lock();
        try {
            Task task = new Task(later(now, delay), count++, action);
            tasks.add(task);
            added.signalAll();
            return () -> remove(task);
        } finally {
            lock.unlock();
        }
    }

    private static long later(long now, long delay) {
        return now > Long.MAX_VALUE - Math.max(0, delay) ? Long.MAX_VALUE : now + Math.max(0, delay);
    }

    private void remove(Task task) {
        lock.lock();
        try {
            tasks.remove(task);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs every task that is due by {@code end}, also tasks that are added meanwhile.
     *
     * @param clock receives the due time of each task before the task runs
     */
    void runUntil(long end, LongConsumer clock) {
        for (Task task = next(end); task != null; task = next(end)) {
            clock.accept(task.due);
            task.action.run();
        }
    }

    private @Nullable Task next(long end) {
        lock.lock();
        try {
            Task first = tasks.peek();
            return first != null && first.due <= end ? tasks.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return tasks.size();
        } finally {
            lock.unlock();
        }
    }

    void awaitSize(int least) throws InterruptedException {
        lock.lock();
        try {
            long patience = PATIENCE.toNanos();
            while (tasks.size() < least) {
                if (patience <= 0) {
                    throw new AssertionError("scheduled: " + tasks.size() + " (expected: at least " + least + " within "
                            + PATIENCE + ")");
                }
                patience = added.awaitNanos(patience);
            }
        } finally {
            lock.unlock();
        }
    }
}
