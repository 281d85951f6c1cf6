package io.sluice.redis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * As in memory, there are two ways to wait, but here asking takes a round trip. A bucket reserves the wait in one call,
 * and the waiter only sleeps. The waiters of a window stand in a line for each key: only the first has a question on its
 * way or a timer; when it has its answer, the next asks.
 *
 * Where Redis does not answer, the limiter's fallback does: a waiter who is denied by it asks again later, as long as its
 * timeout allows.
 */
/** Who waits for permits of one limiter. */
final class Waits {
    private static final long FOR_EVER = 1L << 52;

    private final RedisLimiter limiter;
    private final Sleep sleep;

    /** Guards lines and the waiters in them; never held while Redis is asked or a waiter is told its answer. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, Line> lines = new ConcurrentHashMap<>();
    private final Set<CompletableFuture<RedisReservation>> waiting = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletableFuture<?>> settling = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** The waiters of one key, first come first. */
    private static final class Line {
        final LinkedHashSet<Waiter> waiters = new LinkedHashSet<>();
        Runnable cancelTimer = () -> {};

        /** Whether a question is on its way. */
        boolean asking;

        /** Whether something has changed since it was sent. */
        boolean changed;
    }

    /** Compared by identity. */
    private static final class Waiter {
        final long permits;
        final long deadline;
        final CompletableFuture<RedisReservation> future;

        Waiter(long permits, long deadline, CompletableFuture<RedisReservation> future) {
            this.permits = permits;
            this.deadline = deadline;
            this.future = future;
        }
    }

    Waits(RedisLimiter limiter) {
        this.limiter = limiter;
        this.sleep = new Sleep(limiter.store().virtualTime);
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Starts to wait.
     *
     * @return a reservation whose time has come, or that is not granted; cancelling gives the permits back
     */
    CompletableFuture<RedisReservation> start(String key, long permits, long timeoutMicros) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        CompletableFuture<RedisReservation> future = register();
        CompletableFuture<?> leaving = settling.get(key);
        if (leaving != null) {
            leaving.whenComplete((given, failure) -> ask(key, permits, timeoutMicros, future));
        } else {
            ask(key, permits, timeoutMicros, future);
        }
        return future;
    }

    private void ask(String key, long permits, long timeoutMicros, CompletableFuture<RedisReservation> future) {
        if (!limiter.terms().reserves || lines.containsKey(key)) {
            queue(key, permits, timeoutMicros, future);
            return;
        }
        CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();
        future.whenComplete((admitted, failure) -> {
            if (failure != null && !settled.isDone()) {
                settle(key, settled);
            }
        });
        limiter.reserve(key, permits, timeoutMicros).thenAccept(reservation -> {
            boolean mayComeLater = reservation.waitMicros() <= timeoutMicros
                    && (reservation.isDegraded() || !limiter.terms().reserves);
            if (future.isDone()) {
                reservation.cancelAsync().whenComplete((given, failure) -> settled.complete(null));
                return;
            }
            settled.complete(null);
            if (reservation.granted()) {
                sleep(reservation, future);
            } else if (mayComeLater) {
                queue(key, permits, timeoutMicros, future);
            } else {
                tell(future, reservation);
            }
        });
    }

    /** Who left while its question was on its way gives back first, then the next of that key ask. */
    private void settle(String key, CompletableFuture<@Nullable Void> settled) {
        CompletableFuture<?> all = settling.merge(key, settled, CompletableFuture::allOf);
        all.whenComplete((given, failure) -> settling.remove(key, all));
    }

    private void sleep(RedisReservation reservation, CompletableFuture<RedisReservation> future) {
        if (reservation.waitMicros() == 0) {
            tell(future, reservation);
            return;
        }
        Runnable cancelTimer =
                sleep.schedule(reservation.virtualMicros(), reservation.waitMicros(), () -> tell(future, reservation));
        future.whenComplete((admitted, failure) -> {
            if (failure != null) {
                cancelTimer.run();
                reservation.cancelAsync();
            }
        });
    }

    private static void tell(CompletableFuture<RedisReservation> future, RedisReservation reservation) {
        if (!future.complete(reservation)) {
            // It timed out, was interrupted or cancelled in the meantime.
            reservation.cancelAsync();
        }
    }

    private void queue(String key, long permits, long timeoutMicros, CompletableFuture<RedisReservation> future) {
        long now = sleep.micros();
        Waiter waiter = new Waiter(permits, now + timeoutMicros, future);
        boolean first = exclusively(() -> {
            Line line = lines.computeIfAbsent(key, unused -> new Line());
            line.waiters.add(waiter);
            return line.waiters.size() == 1;
        });
        Runnable cancelTimer =
                timeoutMicros >= FOR_EVER ? () -> {} : sleep.schedule(now, timeoutMicros, () -> timedOut(key, waiter));
        future.whenComplete((admitted, failure) -> {
            cancelTimer.run();
            leave(key, waiter);
        });
        if (first) {
            serve(key);
        } else {
            // Whoever is too late in any case is told at once, not when its turn comes.
            limiter.peekAsync(key, permits).thenAccept(decision -> {
                if (!decision.degraded() && !decision.allowed() && decision.retryAfterMicros() > timeoutMicros) {
                    refuse(key, waiter, decision.retryAfterMicros());
                }
            });
        }
    }

    /** What comes at the very end of the timeout is still in time, so the first of the line asks once more. */
    private void timedOut(String key, Waiter waiter) {
        boolean first = exclusively(() -> {
            Line line = lines.get(key);
            return line != null && line.waiters.iterator().next() == waiter;
        });
        if (first) {
            serve(key);
        } else {
            refuse(key, waiter, 0);
        }
    }

    private void refuse(String key, Waiter waiter, long waitMicros) {
        waiter.future.complete(
                RedisReservation.of(new ReserveCall(limiter, key, waiter.permits, 0), false, waitMicros, new byte[0]));
    }

    private CompletableFuture<RedisReservation> register() {
        CompletableFuture<RedisReservation> future = new CompletableFuture<>();
        waiting.add(future);
        future.whenComplete((admitted, failure) -> waiting.remove(future));
        if (closed) {
            future.completeExceptionally(closedException());
        }
        return future;
    }

    /** Somebody left: the next may be the first now. */
    private void leave(String key, Waiter waiter) {
        boolean left = exclusively(() -> {
            Line line = lines.get(key);
            return line != null && line.waiters.remove(waiter);
        });
        if (left) {
            serve(key);
        }
    }

    /** Asks for the first of a line. */
    private void serve(String key) {
        Waiter first = exclusively(() -> {
            Line line = lines.get(key);
            if (line == null) {
                return null;
            }
            line.changed = line.asking;
            if (line.asking) {
                return null;
            }
            line.cancelTimer.run();
            if (line.waiters.isEmpty()) {
                lines.remove(key);
                return null;
            }
            line.asking = true;
            return line.waiters.iterator().next();
        });
        if (first != null) {
            ReserveCall call = limiter.reserve(key, first.permits, 0);
            if (call.isDone()) {
                // Answered on this very stack, without Redis; a long line would exhaust it.
                ForkJoinPool.commonPool().execute(() -> answered(key, first, call.join()));
            } else {
                call.thenAccept(reservation -> answered(key, first, reservation));
            }
        }
    }

    private void answered(String key, Waiter waiter, RedisReservation reservation) {
        boolean wanted = exclusively(() -> {
            Line line = lines.get(key);
            return line != null && line.waiters.contains(waiter);
        });
        if (!wanted) {
            // It left meanwhile: what it got goes back before the next asks.
            reservation.cancelAsync();
        }
        boolean done = exclusively(() -> {
            Line line = lines.get(key);
            if (line == null) {
                return true;
            }
            line.asking = false;
            boolean inTime = reservation.waitMicros() <= waiter.deadline - sleep.since(reservation.virtualMicros());
            if (!wanted || reservation.granted() || (!inTime && !line.changed)) {
                line.waiters.remove(waiter);
                return true;
            }
            return false;
        });
        if (done) {
            // The next asks before this one is told, so that nobody comes in between.
            serve(key);
            tell(waiter.future, reservation);
            return;
        }
        Runnable cancelTimer = sleep.schedule(reservation.virtualMicros(), reservation.waitMicros(), () -> serve(key));
        boolean again = exclusively(() -> {
            Line line = lines.get(key);
            if (line == null) {
                cancelTimer.run();
                return false;
            }
            line.cancelTimer = cancelTimer;
            return line.changed;
        });
        if (again) {
            serve(key);
        }
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

    private <T> T exclusively(Supplier<T> task) {
        lock.lock();
        try {
            return task.get();
        } finally {
            lock.unlock();
        }
    }

    /** Starts to wait and blocks until the answer is there. */
    RedisReservation get(Supplier<CompletableFuture<RedisReservation>> start) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        CompletableFuture<RedisReservation> future = start.get();
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
            } catch (CompletionException closing) {
                throw closedException();
            }
        } catch (ExecutionException e) {
            throw closedException();
        }
    }

    /** A stage of its own for a caller, completed off the threads that talk to Redis; cancelling it gives the permits back. */
    <T> CompletionStage<T> async(
            Supplier<CompletableFuture<RedisReservation>> start, Function<RedisReservation, @Nullable T> answer) {
        CompletableFuture<RedisReservation> inner;
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
        inner.whenCompleteAsync(
                (reservation, failure) -> tell(reservation, failure, outer, answer), ForkJoinPool.commonPool());
        return outer;
    }

    @SuppressWarnings("NullAway") // a stage of nothing completes with null
    private static <T> void tell(
            RedisReservation reservation,
            @Nullable Throwable failure,
            CompletableFuture<T> outer,
            Function<RedisReservation, @Nullable T> answer) {
        if (failure != null) {
            outer.completeExceptionally(failure);
            return;
        }
        try {
            if (!outer.complete(answer.apply(reservation))) {
                // Cancelled while the answer was on its way.
                reservation.cancelAsync();
            }
        } catch (IllegalArgumentException never) {
            outer.completeExceptionally(never);
        }
    }

    void close() {
        closed = true;
        List<Runnable> timers = new ArrayList<>();
        exclusively(() -> {
            lines.values().forEach(line -> timers.add(line.cancelTimer));
            lines.clear();
            return true;
        });
        timers.forEach(Runnable::run);
        List.copyOf(waiting).forEach(future -> future.completeExceptionally(closedException()));
    }

    private IllegalStateException closedException() {
        return new IllegalStateException("limiter \"" + limiter.name() + "\": closed (expected: waiting before close)");
    }
}
