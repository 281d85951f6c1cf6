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
 * The first calls of a process are slow for reasons that have nothing to do with Redis: it connects, loads classes and
 * scripts, and often shares the processors with others that start too. If they had only the usual deadline, each new
 * process would let its first calls through uncounted.
 *
 * So a store is cold at first. While it is cold, calls wait for the first connection and for the limits, as long as no
 * attempt to connect has failed, and all calls have until a common end: the connect wait after the first call. A store
 * is cold no more when Redis has answered a caller within the deadline, when a call has failed, or at that end.
 */
/** The first calls of a store, which may take longer than the deadline. */
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

    /** Something that goes on as soon as it is ready. */
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

    /** When a call that is made now is given up, on the monotonic clock. */
    public long deadline(long now) {
        long usual = now + deadlineNanos;
        if (over) {
            return usual;
        }
        long end = callsEnd(now);
        return end - usual > 0 ? end : usual;
    }

    /** Whether anybody has called. */
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
     * Waits for the first connection, unless an attempt has failed. All who wait here have the connect wait together.
     *
     * @return the nanoseconds that are left of it
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

    /** Completes when that is so, or need not be waited for any more. */
    CompletableFuture<Boolean> whenReady(BooleanSupplier ready) {
        CompletableFuture<Boolean> reached = new CompletableFuture<>();
        if (over || !hold(ready, () -> reached.complete(true))) {
            reached.complete(true);
        }
        return reached;
    }

    /** Has something go on as soon as it is ready; false if it can go on at once. */
    public boolean hold(BooleanSupplier ready, Runnable proceed) {
        if (held.isEmpty() && mayProceed(ready)) {
            return false;
        }
        held.add(new Held(ready, proceed));
        // It may have become ready just before.
        release();
        return true;
    }

    private boolean mayProceed(BooleanSupplier ready) {
        return over || (unreachable && connection.link() == null) || ready.getAsBoolean();
    }

    /** Has go on who may, in the order in which they came. One thread at a time; who comes meanwhile leaves it to that one. */
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

    /** Redis cannot be reached, as an attempt to connect says: without a connection, nobody waits for the next one. */
    public void connectFailed() {
        unreachable = true;
        release();
    }

    /** Redis has answered what callers asked. */
    void answered(Batch batch, long nanos) {
        if (!over && nanos < deadlineNanos && isOfCallers(batch)) {
            end();
        }
    }

    /** Redis has not answered. */
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
