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
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Two ways to wait. A bucket takes the permits at once, as a debt, and knows when they may be used: the waiter only
 * sleeps. A window cannot promise anything ahead, so its waiters stand in a line, one for each key: the first sleeps until
 * permits could be there and asks again; nobody behind it asks before it has left. Whoever gives something back wakes
 * the first.
 *
 * While a key is paused, nobody is promised anything: all would come at once when the pause is over. So whoever wakes up
 * in a pause gives its permits back and stands in the line of the key, before those who came after it.
 *
 * Blocking callers wait on the same future as asynchronous ones, so there is one implementation, and a virtual thread is
 * never pinned. The future carries the reservation: whoever finds that nobody wants it any more can give it back.
 */
/** Who waits for permits of one limiter. */
final class Waits {
    private final MemoryLimiter limiter;
    private final TimeSource time;

    /** Guards lines and the waiters in them; never held while a waiter is told its answer. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, Line> lines = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final Set<CompletableFuture<MemoryReservation>> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** The waiters of one key, first come first. */
    private static final class Line {
        final TreeSet<Waiter> waiters = new TreeSet<>(Comparator.comparingLong(waiter -> waiter.number));
        Runnable cancelTimer = () -> {};
    }

    /** One who waits; the number says who came first. */
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

    /** An answer that is told after the lock is released. */
    private record Answer(Waiter waiter, MemoryReservation reservation) {
        void tell() {
            if (!waiter.future.complete(reservation)) {
                // It timed out, was interrupted or cancelled in the very moment.
                reservation.cancel();
            }
        }
    }

    Waits(MemoryLimiter limiter, TimeSource time) {
        this.limiter = limiter;
        this.time = time;
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Starts to wait.
     *
     * @return a reservation whose time has come, or that is not granted; cancelling gives the permits back
     */
    CompletableFuture<MemoryReservation> start(String key, long permits, long timeoutMicros) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        Waiter waiter = new Waiter(
                numbers.incrementAndGet(), permits, time.micros() + timeoutMicros, new CompletableFuture<>());
        if (!lines.containsKey(key)) {
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
        queue(key, waiter, timeoutMicros);
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

    /** The time has come, unless the key was paused meanwhile. */
    private void wake(String key, Waiter waiter, MemoryReservation reservation) {
        if (limiter.pauseRest(key) == 0) {
            waiter.future.complete(reservation);
        } else {
            reservation.cancel();
            queue(key, waiter, waiter.deadline - time.micros());
        }
    }

    private void queue(String key, Waiter waiter, long timeoutMicros) {
        exclusively(
                () -> lines.computeIfAbsent(key, unused -> new Line()).waiters.add(waiter));
        Runnable cancelTimer = timeoutMicros >= Exact.LONGEST / 2
                ? () -> {}
                : time.schedule(Math.max(0, timeoutMicros), () -> {
                    // What comes at the very end of the timeout is still in time.
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

    /** Somebody left without permits: the next may be the first now. */
    private void leave(String key, Waiter waiter) {
        boolean[] left = new boolean[1];
        exclusively(() -> {
            Line line = lines.get(key);
            left[0] = line != null && line.waiters.remove(waiter);
        });
        if (left[0]) {
            serve(key);
        }
    }

    /** Serves the line of a key as far as it goes, then sets the timer for its first. */
    private void serve(String key) {
        List<Answer> answers = new ArrayList<>();
        exclusively(() -> {
            Line line = lines.get(key);
            if (line == null) {
                return;
            }
            line.cancelTimer.run();
            Iterator<Waiter> waiters = line.waiters.iterator();
            while (waiters.hasNext()) {
                Waiter first = waiters.next();
                MemoryReservation reservation = limiter.reserve(key, first.permits, 0L);
                if (!reservation.granted() && reservation.waitMicros() <= first.deadline - time.micros()) {
                    line.cancelTimer = time.schedule(reservation.waitMicros(), () -> serve(key));
                    return;
                }
                waiters.remove();
                answers.add(new Answer(first, reservation));
            }
            lines.remove(key);
        });
        answers.forEach(Answer::tell);
    }

    /** Permits of a key may have become free earlier than its waiters were told. */
    void changed(String key) {
        if (!lines.isEmpty()) {
            serve(key);
        }
    }

    void allChanged() {
        List.copyOf(lines.keySet()).forEach(this::serve);
    }

    void exclusively(Runnable task) {
        lock.lock();
        try {
            task.run();
        } finally {
            lock.unlock();
        }
    }

    /** Starts to wait and blocks until the answer is there. */
    MemoryReservation get(String key, Supplier<CompletableFuture<MemoryReservation>> start)
            throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CompletableFuture<MemoryReservation> future = start.get();
        try {
            return future.get();
        } catch (InterruptedException e) {
            if (future.cancel(false)) {
                throw e;
            }
            // Answered in the very moment: nothing to give back, and the caller finds itself interrupted next time.
            Thread.currentThread().interrupt();
            try {
                return future.join();
            } catch (CompletionException failed) {
                throw failure(key, failed.getCause());
            }
        } catch (ExecutionException e) {
            throw failure(key, e.getCause());
        }
    }

    private RuntimeException failure(String key, @Nullable Throwable cause) {
        if (cause instanceof RuntimeException unchecked) {
            return unchecked;
        } else if (cause instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(
                "limiter \"" + limiter.name() + "\", key \"" + key + "\": waiting failed: " + cause, cause);
    }

    /** A stage of its own for a caller, completed off the timer's thread; cancelling it gives the permits back. */
    <T> CompletionStage<T> async(
            Supplier<CompletableFuture<MemoryReservation>> start, Function<MemoryReservation, @Nullable T> answer) {
        CompletableFuture<MemoryReservation> inner;
        try {
            inner = start.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
        CompletableFuture<T> outer = new CompletableFuture<>();
        outer.whenComplete((value, failure) -> {
            if (failure != null) {
                inner.cancel(false);
            }
        });
        if (inner.isDone()) {
            inner.whenComplete((reservation, failure) -> tell(reservation, failure, outer, answer));
        } else {
            inner.whenCompleteAsync(
                    (reservation, failure) -> tell(reservation, failure, outer, answer), ForkJoinPool.commonPool());
        }
        return outer;
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    private static <T> void tell(
            MemoryReservation reservation,
            @Nullable Throwable failure,
            CompletableFuture<T> outer,
            Function<MemoryReservation, @Nullable T> answer) {
        if (failure != null) {
            outer.completeExceptionally(failure);
            return;
        }
        try {
            if (!outer.complete(answer.apply(reservation))) {
                // Cancelled while the answer was on its way.
                reservation.cancel();
            }
        } catch (IllegalArgumentException never) {
            outer.completeExceptionally(never);
        }
    }

    void close() {
        closed = true;
        exclusively(() -> {
            lines.values().forEach(line -> line.cancelTimer.run());
            lines.clear();
        });
        List.copyOf(waiting).forEach(future -> future.completeExceptionally(closedException()));
    }

    private IllegalStateException closedException() {
        return new IllegalStateException("limiter \"" + limiter.name() + "\": closed (expected: waiting before close)");
    }
}
