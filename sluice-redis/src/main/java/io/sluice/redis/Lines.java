package io.sluice.redis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/*
 * Only the first of a line has a question on its way or a timer; when it has its answer, the next asks.
 */
/** Who waits for permits of one limiter that cannot be promised ahead: a line for each key. */
final class Lines {
    private final RedisLimiter limiter;
    private final Sleep sleep;

    /** Guards lines and the waiters in them; never held while Redis is asked or a waiter is told its answer. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, Line> lines = new ConcurrentHashMap<>();

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

    Lines(RedisLimiter limiter, Sleep sleep) {
        this.limiter = limiter;
        this.sleep = sleep;
    }

    /** Whether somebody waits for permits of a key. */
    boolean has(String key) {
        return lines.containsKey(key);
    }

    /** Stands in line until permits are there or the timeout is over. */
    void queue(String key, long permits, long timeoutMicros, CompletableFuture<RedisReservation> future) {
        long now = sleep.micros();
        Waiter waiter = new Waiter(permits, now + timeoutMicros, future);
        boolean first = exclusively(() -> {
            Line line = lines.computeIfAbsent(key, unused -> new Line());
            line.waiters.add(waiter);
            return line.waiters.size() == 1;
        });
        Runnable cancelTimer = timeoutMicros >= Input.FOR_EVER
                ? () -> {}
                : sleep.schedule(now, timeoutMicros, () -> timedOut(key, waiter));
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
            Waits.tell(waiter.future, reservation);
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

    /** Nobody is asked for any more. */
    void close() {
        List<Runnable> timers = new ArrayList<>();
        exclusively(() -> {
            lines.values().forEach(line -> timers.add(line.cancelTimer));
            lines.clear();
            return true;
        });
        timers.forEach(Runnable::run);
    }
}
