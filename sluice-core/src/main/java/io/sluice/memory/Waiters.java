package io.sluice.memory;

import io.sluice.TimeSource;
import io.sluice.exact.Exact;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/*
 * There are two ways to wait. A bucket takes the permits at once, as a debt, and knows when they may be used: the waiter
 * only sleeps. A window cannot reserve ahead. So its waiters join a queue, one for each key. The first waiter sleeps until
 * permits may be free, and asks again. The waiters behind it do not ask before it has left. A give-back, a reset or an
 * update wakes the first waiter.
 *
 * While a key is paused, nothing is reserved: after the pause, all reservations would run at the same time. So a waiter
 * that wakes up in a pause gives its permits back and joins the queue of the key, before the waiters that came later.
 */
/** The callers that wait for permits of one limiter. Thread-safe. */
final class Waiters {
    private final MemoryLimiter limiter;
    private final TimeSource time;

    /** Guards the queues and their waiters. Never held while a waiter is completed. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, WaitQueue> queues = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Set<CompletableFuture<MemoryReservation>> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** The waiters of one key, in order of arrival. */
    private static final class WaitQueue {
        final TreeSet<Waiter> waiters = new TreeSet<>(Comparator.comparingLong(waiter -> waiter.number));
        Runnable cancelTimer = () -> {};
    }

    /** A caller that waits. The number is the order of arrival. */
    private static final class Waiter {
        final long number;
        final long permits;
        final long deadline;
        final CompletableFuture<MemoryReservation> future;

        Waiter(long number, long permits, long deadline, CompletableFuture<MemoryReservation> future) {
            this.number = number;
            this.permits = permits;
            this.deadline = deadline;
            this.future = future;
        }
    }

    /** A waiter that is completed after the lock is released. */
    private record Served(Waiter waiter, MemoryReservation reservation) {
        void complete() {
            if (!waiter.future.complete(reservation)) {
                // It timed out, or was interrupted or cancelled, at the same moment.
                reservation.cancel();
            }
        }
    }

    Waiters(MemoryLimiter limiter, TimeSource time) {
        this.limiter = limiter;
        this.time = time;
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Starts to wait.
     *
     * @return a reservation whose delay is over, or that is not granted. Cancelling the future gives the permits back.
     */
    CompletableFuture<MemoryReservation> start(String key, long permits, long timeoutMicros) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        Waiter waiter = new Waiter(
                numbers.incrementAndGet(), permits, time.micros() + timeoutMicros, new CompletableFuture<>());
        if (!queues.containsKey(key)) {
            MemoryReservation reservation = limiter.reserve(key, permits, timeoutMicros);
            if (reservation.granted()) {
                return sleep(key, waiter, reservation);
            } else if (reservation.waitMicros() > timeoutMicros) {
                return CompletableFuture.completedFuture(reservation);
            }
        } else {
            long wait = limiter.waitFor(key, permits);
            if (wait > timeoutMicros) {
                return CompletableFuture.completedFuture(limiter.refused(key, permits, wait));
            }
        }
        register(waiter.future);
        enqueue(key, waiter, timeoutMicros);
        return waiter.future;
    }

    private CompletableFuture<MemoryReservation> sleep(String key, Waiter waiter, MemoryReservation reservation) {
        if (reservation.waitMicros() == 0) {
            return CompletableFuture.completedFuture(reservation);
        }
        register(waiter.future);
        Runnable cancelTimer = time.schedule(reservation.waitMicros(), () -> wake(key, waiter, reservation));
        waiter.future.whenComplete((admitted, failure) -> {
            if (failure != null) {
                cancelTimer.run();
                reservation.cancel();
            }
        });
        return waiter.future;
    }

    /** Ends the wait, unless the key was paused meanwhile. */
    private void wake(String key, Waiter waiter, MemoryReservation reservation) {
        if (limiter.pausedFor(key) == 0) {
            waiter.future.complete(reservation);
        } else {
            reservation.cancel();
            enqueue(key, waiter, waiter.deadline - time.micros());
        }
    }

    private void enqueue(String key, Waiter waiter, long timeoutMicros) {
        exclusively(() ->
                queues.computeIfAbsent(key, unused -> new WaitQueue()).waiters.add(waiter));
        Runnable cancelTimer = timeoutMicros >= Exact.MAX_MICROS / 2
                ? () -> {}
                : time.schedule(Math.max(0, timeoutMicros), () -> {
                    // Permits that come exactly at the end of the timeout are in time.
                    serve(key);
                    waiter.future.complete(limiter.refused(key, waiter.permits, 0));
                });
        waiter.future.whenComplete((admitted, failure) -> {
            cancelTimer.run();
            leave(key, waiter);
        });
        serve(key);
    }

    private void register(CompletableFuture<MemoryReservation> future) {
        waiting.add(future);
        future.whenComplete((admitted, failure) -> waiting.remove(future));
        if (closed) {
            future.completeExceptionally(closedException());
        }
    }

    /** Removes a waiter that got no permits. The next one may be the first now. */
    private void leave(String key, Waiter waiter) {
        boolean[] left = new boolean[1];
        exclusively(() -> {
            WaitQueue queue = queues.get(key);
            left[0] = queue != null && queue.waiters.remove(waiter);
        });
        if (left[0]) {
            serve(key);
        }
    }

    /** Gives permits to the waiters of a key, in order, until one must wait longer. Then sets the timer for that one. */
    private void serve(String key) {
        List<Served> served = new ArrayList<>();
        exclusively(() -> {
            WaitQueue queue = queues.get(key);
            if (queue == null) {
                return;
            }
            queue.cancelTimer.run();
            Iterator<Waiter> waiters = queue.waiters.iterator();
            while (waiters.hasNext()) {
                Waiter first = waiters.next();
                MemoryReservation reservation = limiter.reserve(key, first.permits, 0L);
                if (!reservation.granted() && reservation.waitMicros() <= first.deadline - time.micros()) {
                    queue.cancelTimer = time.schedule(reservation.waitMicros(), () -> serve(key));
                    return;
                }
                waiters.remove();
                served.add(new Served(first, reservation));
            }
            queues.remove(key);
        });
        served.forEach(Served::complete);
    }

    /** To be called when permits of a key may be free earlier than its waiters expect. */
    void changed(String key) {
        if (!queues.isEmpty()) {
            serve(key);
        }
    }

    /** To be called after the limits have changed. */
    void allChanged() {
        List.copyOf(queues.keySet()).forEach(this::serve);
    }

    /** Runs a task under the lock of the queues. */
    void exclusively(Runnable task) {
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }

    /** Fails all waiters. */
    void close() {
        closed = true;
        exclusively(() -> {
            queues.values().forEach(queue -> queue.cancelTimer.run());
            queues.clear();
        });
        List.copyOf(waiting).forEach(future -> future.completeExceptionally(closedException()));
    }

    private IllegalStateException closedException() {
        return new IllegalStateException("limiter \"" + limiter.name() + "\": closed (expected: waiting before close)");
    }
}
