package io.sluice;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
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
 * Blocking callers wait on the same future as asynchronous ones, so there is one implementation, and a virtual thread is
 * never pinned.
 */
/** Who waits for permits of one limiter. */
final class Waits {
    private final MemoryLimiter limiter;
    private final TimeSource time;

    /** Guards lines and the waiters in them; never held while a waiter is told its answer. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, Line> lines = new ConcurrentHashMap<>();
    private final Set<CompletableFuture<Boolean>> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** The waiters of one key, first come first. */
    private static final class Line {
        final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
        Runnable cancelTimer = () -> {};
    }

    private record Waiter(long permits, long deadline, CompletableFuture<Boolean> future) {}

    /** An answer that is told after the lock is released. */
    private record Answer(Waiter waiter, MemoryReservation reservation) {
        void tell() {
            boolean told = waiter.future().complete(reservation.granted());
            if (!told) {
                // It timed out, was interrupted or cancelled in the very moment.
                reservation.cancel();
            }
        }
    }

    Waits(MemoryLimiter limiter, TimeSource time) {
        this.limiter = limiter;
        this.time = time;
    }

    /**
     * Starts to wait.
     *
     * @return whether the permits were given, once that is known; cancelling gives them back
     */
    CompletableFuture<Boolean> start(String key, long permits, long timeoutMicros) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        if (!lines.containsKey(key)) {
            MemoryReservation reservation = limiter.reserve(key, permits, timeoutMicros);
            if (reservation.granted()) {
                return sleep(reservation);
            } else if (reservation.waitMicros() > timeoutMicros) {
                return CompletableFuture.completedFuture(false);
            }
        } else if (limiter.waitFor(key, permits) > timeoutMicros) {
            return CompletableFuture.completedFuture(false);
        }
        return queue(key, permits, timeoutMicros);
    }

    private CompletableFuture<Boolean> sleep(MemoryReservation reservation) {
        if (reservation.waitMicros() == 0) {
            return CompletableFuture.completedFuture(true);
        }
        CompletableFuture<Boolean> future = register();
        Runnable cancelTimer = time.schedule(reservation.waitMicros(), () -> future.complete(true));
        future.whenComplete((admitted, failure) -> {
            if (failure != null) {
                cancelTimer.run();
                reservation.cancel();
            }
        });
        return future;
    }

    private CompletableFuture<Boolean> queue(String key, long permits, long timeoutMicros) {
        Waiter waiter = new Waiter(permits, time.micros() + timeoutMicros, register());
        exclusively(
                () -> lines.computeIfAbsent(key, unused -> new Line()).waiters.add(waiter));
        Runnable cancelTimer = timeoutMicros >= Exact.LONGEST
                ? () -> {}
                : time.schedule(timeoutMicros, () -> {
                    // What comes at the very end of the timeout is still in time.
                    serve(key);
                    waiter.future().complete(false);
                });
        waiter.future().whenComplete((admitted, failure) -> {
            cancelTimer.run();
            leave(key, waiter);
        });
        serve(key);
        return waiter.future();
    }

    private CompletableFuture<Boolean> register() {
        CompletableFuture<Boolean> future = new CompletableFuture<>();
        waiting.add(future);
        future.whenComplete((admitted, failure) -> waiting.remove(future));
        if (closed) {
            future.completeExceptionally(closedException());
        }
        return future;
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
            for (Waiter first = line.waiters.peek(); first != null; first = line.waiters.peek()) {
                long timeLeft = first.deadline() - time.micros();
                MemoryReservation reservation = limiter.reserve(key, first.permits(), 0L);
                if (reservation.granted() || reservation.waitMicros() > timeLeft) {
                    line.waiters.poll();
                    answers.add(new Answer(first, reservation));
                } else {
                    line.cancelTimer = time.schedule(reservation.waitMicros(), () -> serve(key));
                    return;
                }
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

    /** Blocks until the answer is there. */
    boolean get(CompletableFuture<Boolean> future) throws InterruptedException {
        if (Thread.interrupted()) {
            future.cancel(false);
            throw new InterruptedException();
        }
        try {
            return future.get();
        } catch (InterruptedException e) {
            if (future.cancel(false)) {
                throw e;
            }
            // Admitted in the very moment: nothing to give back, and the caller finds itself interrupted next time.
            Thread.currentThread().interrupt();
            return future.join();
        } catch (ExecutionException e) {
            throw closedException();
        }
    }

    /** A stage of its own for a caller, completed off the timer's thread; cancelling it gives the permits back. */
    <T> CompletionStage<T> async(Supplier<CompletableFuture<Boolean>> start, Function<Boolean, @Nullable T> answer) {
        CompletableFuture<Boolean> inner;
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
            tell(inner, outer, answer);
        } else {
            inner.whenCompleteAsync((admitted, failure) -> tell(inner, outer, answer));
        }
        return outer;
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    private static <T> void tell(
            CompletableFuture<Boolean> inner, CompletableFuture<T> outer, Function<Boolean, @Nullable T> answer) {
        inner.handle((admitted, failure) ->
                failure == null ? outer.complete(answer.apply(admitted)) : outer.completeExceptionally(failure));
    }

    void close() {
        closed = true;
        List.copyOf(waiting).forEach(future -> future.completeExceptionally(closedException()));
    }

    private IllegalStateException closedException() {
        return new IllegalStateException("limiter \"" + limiter.name() + "\": closed (expected: waiting before close)");
    }
}
