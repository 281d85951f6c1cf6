package io.sluice.redis.call;

import io.sluice.TimeSource;
import io.sluice.redis.connect.Connection;
import io.sluice.redis.connect.Futures;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/*
 * The first calls of a process are slow for reasons that have nothing to do with Redis: the process connects, loads classes
 * and scripts, and often shares the processors with other processes that start too. With the usual deadline, each new process
 * would let its first calls through without counting them.
 *
 * So a store is cold at first. While it is cold, calls wait for the first connection and for the limits, as long as no
 * attempt to connect has failed. All these calls have one common deadline: the connect wait after the first call. A store is
 * no longer cold when Redis has answered a caller within the usual deadline, when a call has failed, or at the common deadline.
 */
/** Gives the first calls of a store more time than the deadline. */
public final class ColdStart {
    private final Connection connection;
    private final long deadlineNanos;
    private final long waitNanos;

    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger releasing = new AtomicInteger();

    private volatile boolean over;
    private volatile boolean unreachable;

    private boolean called;
    private long callsEnd;
    private boolean asked;
    private long limitersEnd;

    /** An action that waits until it is ready. */
    private record Held(BooleanSupplier ready, Runnable proceed) {}

    /**
     * The cold start of a store.
     *
     * @param deadlineNanos the deadline of a call when the store is no longer cold
     * @param waitNanos the connect wait; with 0, the store is never cold
     */
    public ColdStart(Connection connection, long deadlineNanos, long waitNanos) {
        this.connection = connection;
        this.deadlineNanos = deadlineNanos;
        this.waitNanos = waitNanos;
        this.over = waitNanos == 0;
    }

    public boolean isOver() {
        return over;
    }

    /** The deadline of a call that is made now, on the monotonic clock. */
    public long deadline(long now) {
        long usual = now + deadlineNanos;
        if (over) {
            return usual;
        }
        long end = callsEnd(now);
        return end - usual > 0 ? end : usual;
    }

    /** Whether there was a call of a user. */
    synchronized boolean isCalled() {
        return called || over;
    }

    private synchronized long callsEnd(long now) {
        if (!called) {
            called = true;
            callsEnd = now + waitNanos;
            TimeSource.system().schedule(waitNanos / 1000, this::end);
        }
        return callsEnd;
    }

    /**
     * Waits for the first connection, unless an attempt has failed. All threads that wait here share the connect wait.
     *
     * @return the nanoseconds that are left of the connect wait
     */
    public long awaitConnection() {
        if (over) {
            return 0;
        }
        Futures.isLateOrFailed(whenReady(() -> connection.link() != null), limitersRest());
        return limitersRest();
    }

    private synchronized long limitersRest() {
        long now = System.nanoTime();
        if (!asked) {
            asked = true;
            limitersEnd = now + waitNanos;
        }
        return Math.max(0, limitersEnd - now);
    }

    /** Completes when {@code ready} is true, or when there is no reason to wait any longer. */
    CompletableFuture<Boolean> whenReady(BooleanSupplier ready) {
        CompletableFuture<Boolean> reached = new CompletableFuture<>();
        if (over || !hold(ready, () -> reached.complete(true))) {
            reached.complete(true);
        }
        return reached;
    }

    /** Runs an action as soon as it is ready. Returns false, and does not run it, if it is ready now. */
    public boolean hold(BooleanSupplier ready, Runnable proceed) {
        if (held.isEmpty() && mayProceed(ready)) {
            return false;
        }
        held.add(new Held(ready, proceed));
        // It may have become ready in between.
        release();
        return true;
    }

    private boolean mayProceed(BooleanSupplier ready) {
        return over || (unreachable && connection.link() == null) || ready.getAsBoolean();
    }

    /** Runs the waiting actions that are ready, in order. One thread at a time does this; it also does the work of threads that come meanwhile. */
    public void release() {
        if (held.isEmpty() || releasing.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            for (Iterator<Held> all = held.iterator(); all.hasNext(); ) {
                Held next = all.next();
                if (mayProceed(next.ready)) {
                    next.proceed.run();
                    all.remove();
                }
            }
            seen = releasing.addAndGet(-seen);
        } while (seen != 0);
    }

    /** An attempt to connect has failed. As long as there is no connection, calls do not wait for the next attempt. */
    public void connectFailed() {
        unreachable = true;
        release();
    }

    /** Redis has answered a batch. */
    void answered(Batch batch, long nanos) {
        if (!over && nanos < deadlineNanos && isOfCallers(batch)) {
            end();
        }
    }

    /** Redis has not answered a batch. */
    void failed(Batch batch) {
        if (!over && isOfCallers(batch)) {
            end();
        }
    }

    private boolean isOfCallers(Batch batch) {
        return batch.calls().stream().anyMatch(call -> !call.limiter.internal);
    }

    private void end() {
        over = true;
        release();
    }
}
