package io.sluice.redis;

import io.sluice.TimeSource;
import io.sluice.redis.call.RedisReservation;
import io.sluice.redis.call.ReserveCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Only the first of a line has a question on its way or a timer; when it has its answer, the next asks.
 *
 * While Redis is away, a line asks nothing: it is woken when Redis has answered anybody in time. Then its first asks, and
 * so on, one after the other. Where only a part of a cluster is away, others are answered all the time, so a line that
 * was just told in vain pauses first; and as nobody may ask where that part is, a line looks by itself now and then.
 */
/** Who waits for permits of one limiter that cannot be promised ahead, or for Redis: a line for each key. */
final class Lines {
    /** A line does not ask more often than this while it is told that Redis is away. */
    private static final long PAUSE_NANOS = 100_000_000;

    private static final long LOOK_MICROS = 5_000_000;

    private final RedisLimiter limiter;
    private final Sleep sleep;

    /** Lets a waiter sleep until its permits may be used, then tells it. */
    private final Granted granted;

    /** What is done with a waiter whose permits were granted. */
    interface Granted {
        void sleep(String key, Waiter waiter, RedisReservation reservation);
    }

    /** Guards lines and the waiters in them; never held while Redis is asked or a waiter is told its answer. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, Line> lines = new ConcurrentHashMap<>();

    /** The waiters of one key, first come first. */
    private static final class Line {
        final TreeSet<Waiter> waiters = new TreeSet<>(Comparator.comparingLong(Waiter::number));
        Runnable cancelTimer = () -> {};

        /** Whether a question is on its way. */
        boolean asking;

        /** Whether something has changed since it was sent. */
        boolean changed;

        /** Whether it waits for Redis to be back. */
        boolean away;

        boolean isFirst(Waiter waiter) {
            return !waiters.isEmpty() && waiters.iterator().next().equals(waiter);
        }
    }

    Lines(RedisLimiter limiter, Sleep sleep, Granted granted) {
        this.limiter = limiter;
        this.sleep = sleep;
        this.granted = granted;
    }

    /** Whether somebody waits for permits of a key. */
    boolean has(String key) {
        return lines.containsKey(key);
    }

    /** Stands in line until permits are there or the timeout is over. */
    void queue(String key, Waiter waiter) {
        boolean first = join(key, waiter, false);
        if (first) {
            serve(key);
        } else if (!isAway(key)) {
            // Whoever is too late in any case is told at once, not when its turn comes.
            limiter.peekAsync(key, waiter.permits()).thenAccept(decision -> {
                if (!decision.degraded()
                        && !decision.allowed()
                        && decision.retryAfterMicros() > waiter.deadline() - sleep.micros()) {
                    refuse(key, waiter, decision.retryAfterMicros());
                }
            });
        }
    }

    /**
     * Stands in line until Redis is back and permits are there, or the timeout is over.
     *
     * @param returns how often Redis had come back before the waiter asked in vain
     */
    void queueForRedis(String key, Waiter waiter, long returns) {
        if (join(key, waiter, true)) {
            awaitRedis(key, returns, System.nanoTime());
        }
    }

    /** Joins the line of a key; says whether as the first. */
    private boolean join(String key, Waiter waiter, boolean away) {
        boolean first = exclusively(() -> {
            Line line = lines.computeIfAbsent(key, unused -> new Line());
            line.waiters.add(waiter);
            boolean alone = line.waiters.size() == 1 && !line.asking;
            line.away |= alone && away;
            return alone;
        });
        long now = sleep.micros();
        Runnable cancelTimer = waiter.isPatient(sleep)
                ? () -> {}
                : sleep.schedule(now, Math.max(0, waiter.deadline() - now), () -> timedOut(key, waiter));
        waiter.future().whenComplete((admitted, failure) -> {
            cancelTimer.run();
            leave(key, waiter);
        });
        return first;
    }

    private boolean isAway(String key) {
        return exclusively(() -> {
            Line line = lines.get(key);
            return line != null && line.away;
        });
    }

    /** What comes at the very end of the timeout is still in time, so the first of the line asks once more. */
    private void timedOut(String key, Waiter waiter) {
        boolean stands = exclusively(() -> {
            Line line = lines.get(key);
            return line != null && line.waiters.contains(waiter);
        });
        boolean asks = exclusively(() -> {
            Line line = lines.get(key);
            return line != null && line.isFirst(waiter) && !line.away;
        });
        if (asks) {
            serve(key);
        } else if (stands) {
            refuse(key, waiter, 0);
        }
    }

    private void refuse(String key, Waiter waiter, long waitMicros) {
        ReserveCall call = new ReserveCall(limiter.context(), key, waiter.permits(), 0, true);
        waiter.future().complete(RedisReservation.of(call, false, waitMicros, new byte[0]));
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

    /** Asks for the first of a line, unless that waits for Redis. */
    private void serve(String key) {
        Waiter first = exclusively(() -> {
            Line line = lines.get(key);
            if (line == null) {
                return null;
            }
            line.changed = line.asking;
            if (line.asking || (line.away && !line.waiters.isEmpty())) {
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
            ask(key, first);
        }
    }

    private void ask(String key, Waiter first) {
        long returns = limiter.health().returns();
        long asked = System.nanoTime();
        // A bucket promises ahead, as it does for who comes first: only Redis's absence made these stand in line.
        long atMost = limiter.canReserve() ? Math.max(0, first.deadline() - sleep.micros()) : 0;
        ReserveCall call = limiter.reserve(key, first.permits(), atMost, true);
        if (call.isDone()) {
            // Answered on this very stack, without Redis; a long line would exhaust it.
            ForkJoinPool.commonPool().execute(() -> answered(key, first, call.join(), returns, asked));
        } else {
            call.thenAccept(reservation -> answered(key, first, reservation, returns, asked));
        }
    }

    private void answered(String key, Waiter waiter, RedisReservation reservation, long returns, long asked) {
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
            line.away = reservation.awaitsRedis();
            boolean inTime = waiter.isInTime(reservation, sleep);
            if (!wanted || reservation.granted() || (!inTime && (!line.changed || line.away))) {
                line.waiters.remove(waiter);
                return true;
            }
            return false;
        });
        if (reservation.awaitsRedis()) {
            awaitRedis(key, returns, asked);
        }
        if (done) {
            // The next asks before this one is told, so that nobody comes in between.
            serve(key);
            if (reservation.granted() && wanted) {
                granted.sleep(key, waiter, reservation);
            } else {
                Waits.tell(waiter.future(), reservation);
            }
        } else if (!reservation.awaitsRedis()) {
            // First what cancels, then what may happen at once: a timer that runs ahead must not be taken for the next
            // one.
            CompletableFuture<@Nullable Void> cancelled = new CompletableFuture<>();
            boolean changed = setTimer(key, () -> cancelled.complete(null));
            cancelled.thenRun(sleep.schedule(reservation.virtualMicros(), reservation.waitMicros(), () -> serve(key)));
            if (changed) {
                serve(key);
            }
        }
    }

    /** Lets a line rest until Redis is back. */
    private void awaitRedis(String key, long returns, long askedNanos) {
        // First what cancels, then what may happen at once.
        CompletableFuture<@Nullable Void> cancelled = new CompletableFuture<>();
        setTimer(key, () -> cancelled.complete(null));
        cancelled.thenRun(sleep.schedule(sleep.micros(), LOOK_MICROS, () -> wake(key)));
        cancelled.thenRun(limiter.health().onceBack(returns, () -> {
            long pause = askedNanos + PAUSE_NANOS - System.nanoTime();
            TimeSource.system().schedule(Math.max(0, pause / 1000), () -> wake(key));
        }));
    }

    /** Sets what a line waits for. Says whether something has changed meanwhile. */
    private boolean setTimer(String key, Runnable cancelTimer) {
        return exclusively(() -> {
            Line line = lines.get(key);
            if (line == null) {
                cancelTimer.run();
                return false;
            }
            line.cancelTimer.run();
            line.cancelTimer = cancelTimer;
            return line.changed;
        });
    }

    /** Redis may be back. */
    private void wake(String key) {
        exclusively(() -> {
            Line line = lines.get(key);
            if (line != null) {
                line.away = false;
            }
            return true;
        });
        serve(key);
    }

    /** Permits of a key may have become free earlier than its waiters were told. */
    void changed(String key) {
        if (!lines.isEmpty()) {
            serve(key);
        }
    }

    /** There are other limits, or Redis has heard of this limiter now. */
    void allChanged() {
        if (!lines.isEmpty()) {
            List.copyOf(lines.keySet()).forEach(this::wake);
        }
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
