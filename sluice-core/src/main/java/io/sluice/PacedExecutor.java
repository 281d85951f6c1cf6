package io.sluice;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * The queue asks for one permit at a time, for the task at its head, and only while there is one; so at most one permit
 * is ever under way, and discarding gives it back. The task is taken out of the queue in the moment in which its permit
 * is there and is handed to the executor at once: it is either in the queue or running, never nowhere.
 */
/**
 * An executor whose tasks leave a bounded queue at the rate of a limiter: the leaky bucket as a work queue.
 *
 * <pre>{@code
 * Gate partner = RateLimiter.of(Limit.parse("leaky-bucket 10/s")).forKey("partner");
 * try (PacedExecutor executor = PacedExecutor.of(partner, 1000)) {
 *     calls.forEach(executor::execute);
 * } // waits until all have run
 * }</pre>
 *
 * <p>Tasks start in the order in which they came, one permit each. Every accepted task is started, or is returned by
 * {@link #discard()}.
 */
public final class PacedExecutor implements Executor, AutoCloseable {
    private final Gate gate;
    private final int capacity;
    private final Executor executor;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    /** The permit that was last asked for. */
    private CompletableFuture<Void> permit = CompletableFuture.completedFuture(null);

    private boolean asking;
    private int running;
    private boolean closed;

    /** The limiter gives no more permits. */
    private boolean stopped;

    private PacedExecutor(Gate gate, int capacity, Executor executor) {
        this.gate = Objects.requireNonNull(gate, "gate");
        this.executor = Objects.requireNonNull(executor, "executor");
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: at least 1)");
        }
        this.capacity = capacity;
    }

    /** Runs tasks on the common pool. */
    public static PacedExecutor of(Gate gate, int capacity) {
        return new PacedExecutor(gate, capacity, ForkJoinPool.commonPool());
    }

    /** Runs tasks on another executor; one that rejects a task makes it run on the thread that paces. */
    public static PacedExecutor of(Gate gate, int capacity, Executor executor) {
        return new PacedExecutor(gate, capacity, executor);
    }

    /**
     * Queues a task.
     *
     * @throws RejectedExecutionException if the queue is full, or closed
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

    /** How many tasks wait for their turn. */
    public int size() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Accepts no more tasks. The stage completes when all that were accepted have run, at the limiter's rate. */
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

    /** Accepts no more tasks and gives back, in order, those that have not started; they never will. */
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

    /** {@link #drain() Drains} and waits until all tasks have run. If interrupted, discards what has not started. */
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

    /** Asks for permits as long as they are there at once; the first that is not goes on here when it comes. */
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

    /** Asks for a permit, unless one is under way already or nobody needs it. */
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
            // Discarded in the very moment in which the permit came.
            gate.refund(1);
        } else {
            stop(failure);
        }
        // Only now may the next be asked for: tasks are handed over in order.
        lock.lock();
        try {
            asking = false;
        } finally {
            lock.unlock();
        }
    }

    /** Hands a task over, or runs it here if nobody takes it. Whatever it throws must not stop the pacing. */
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

    /** The limiter fails its waiters when it is closed: the tasks stay in the queue, for {@link #discard()}. */
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
