package io.sluice;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * The executor asks for one permit at a time, for the first task of the queue, and only while there is a task. So at most one
 * permit is pending, and discard() gives it back. When the permit arrives, the task leaves the queue and goes to the
 * executor at once. So a task is always either in the queue or started.
 */
/**
 * An executor with a bounded queue, which starts tasks at the rate of a limiter: a leaky bucket as a work queue. Thread-safe.
 *
 * <pre>{@code
 * Gate partner = Gate.of(Limit.parse("leaky-bucket 10/s"));
 * try (PacedExecutor executor = PacedExecutor.of(partner, 1000)) {
 *     calls.forEach(executor::execute);
 * } // waits until all have run
 * }</pre>
 *
 * <p>Tasks start in order of arrival. Each task needs one permit. Every accepted task is started, or {@link #discard()} returns
 * it.
 */
public final class PacedExecutor implements Executor, AutoCloseable {
    private final Gate gate;
    private final int capacity;
    private final Executor executor;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    /** The latest request for a permit. */
    private CompletableFuture<Void> permit = CompletableFuture.completedFuture(null);

    private boolean asking;
    private int running;
    private boolean closed;

    /** Whether the limiter was closed, so that it gives no more permits. */
    private boolean stopped;

    private PacedExecutor(Gate gate, int capacity, Executor executor) {
        this.gate = Objects.requireNonNull(gate, "gate");
        this.executor = Objects.requireNonNull(executor, "executor");
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: at least 1)");
        }
        this.capacity = capacity;
    }

    /**
     * Creates an executor that runs tasks on the {@linkplain RateLimiter#executor() executor} of the gate's store, which is the
     * common pool if it was not set.
     *
     * @param capacity the maximum number of tasks in the queue
     */
    public static PacedExecutor of(Gate gate, int capacity) {
        return new PacedExecutor(gate, capacity, gate.limiter().executor());
    }

    /**
     * Creates an executor that runs tasks on another executor. If that one rejects a task, the task runs on the thread that
     * received its permit.
     *
     * @param capacity the maximum number of tasks in the queue
     */
    public static PacedExecutor of(Gate gate, int capacity, Executor executor) {
        return new PacedExecutor(gate, capacity, executor);
    }

    /**
     * Queues a task.
     *
     * @throws RejectedExecutionException if the queue is full, or the executor is closed
     */
    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task, "task");
        lock.lock();
        try {
            if (closed) {
                throw new RejectedExecutionException("paced executor for \"" + gate.key() + "\": closed");
            }
            if (queue.size() >= capacity) {
                throw new RejectedExecutionException("paced executor for \"" + gate.key() + "\": queue full with "
                        + queue.size() + " tasks (expected: at most " + capacity + ")");
            }
            queue.add(task);
        } finally {
            lock.unlock();
        }
        pace();
    }

    /** The number of tasks in the queue. */
    public int size() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Stops accepting tasks. The stage completes when all accepted tasks have run, at the rate of the limiter. */
    public CompletionStage<Void> drain() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        finishIfDrained();
        return drained.minimalCompletionStage();
    }

    /** Stops accepting tasks. Returns the tasks that have not started, in order. They will never start. */
    public List<Runnable> discard() {
        List<Runnable> unstarted;
        CompletableFuture<Void> unused;
        lock.lock();
        try {
            closed = true;
            unstarted = new ArrayList<>(queue);
            queue.clear();
            unused = permit;
        } finally {
            lock.unlock();
        }
        unused.cancel(false);
        finishIfDrained();
        return unstarted;
    }

    /** Stops accepting tasks and waits until all tasks have run. If interrupted, discards the tasks that have not started. */
    @Override
    public void close() {
        CompletableFuture<Void> done = drain().toCompletableFuture();
        try {
            done.get();
        } catch (InterruptedException e) {
            discard();
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("paced executor for \"" + gate.key() + "\": not drained", e.getCause());
        }
    }

    /** Asks for permits as long as they arrive at once. When a later permit arrives, continues here. */
    private void pace() {
        while (true) {
            CompletableFuture<Void> asked = ask();
            if (asked == null) {
                return;
            }
            if (!asked.isDone()) {
                asked.whenComplete((nothing, failure) -> {
                    answered(failure);
                    pace();
                });
                return;
            }
            asked.whenComplete((nothing, failure) -> answered(failure));
        }
    }

    /** Asks for a permit. Returns null if one is pending, or no task needs it. */
    private @Nullable CompletableFuture<Void> ask() {
        lock.lock();
        try {
            if (asking || queue.isEmpty() || stopped) {
                return null;
            }
            asking = true;
            permit = gate.acquireAsync(1).toCompletableFuture();
            return permit;
        } finally {
            lock.unlock();
        }
    }

    private void answered(@Nullable Throwable failure) {
        Runnable task;
        lock.lock();
        try {
            task = failure == null ? queue.poll() : null;
            if (task != null) {
                running++;
            }
        } finally {
            lock.unlock();
        }
        if (task != null) {
            start(task);
        } else if (failure == null) {
            // The task was discarded at the moment when its permit arrived.
            gate.refund(1);
        } else {
            stop(failure);
        }
        // Only now ask for the next permit: tasks must start in order.
        lock.lock();
        try {
            asking = false;
        } finally {
            lock.unlock();
        }
    }

    /** Passes a task to the executor, or runs it here if the executor rejects it. An exception must not stop other tasks. */
    private void start(Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable counted = () -> {
            if (begun.compareAndSet(false, true)) {
                try {
                    task.run();
                } finally {
                    finished();
                }
            }
        };
        try {
            executor.execute(counted);
        } catch (RuntimeException | Error refused) {
            try {
                counted.run();
            } catch (RuntimeException | Error failure) {
                report(failure);
                return;
            }
            if (!(refused instanceof RejectedExecutionException)) {
                report(refused);
            }
        }
    }

    private static void report(Throwable failure) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
    }

    private void finished() {
        lock.lock();
        try {
            running--;
        } finally {
            lock.unlock();
        }
        finishIfDrained();
    }

    /** Handles a closed limiter, which fails its waiters. The tasks stay in the queue for {@link #discard()}. */
    private void stop(Throwable failure) {
        lock.lock();
        try {
            closed = true;
            stopped = true;
            if (queue.isEmpty()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        drained.completeExceptionally(failure);
    }

    private void finishIfDrained() {
        boolean done;
        lock.lock();
        try {
            done = closed && queue.isEmpty() && running == 0;
        } finally {
            lock.unlock();
        }
        if (done) {
            drained.complete(null);
        }
    }
}
