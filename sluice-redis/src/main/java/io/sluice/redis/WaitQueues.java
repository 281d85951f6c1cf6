package io.sluice.redis;

import io.sluice.TimeSource;
import io.sluice.redis.call.Admission;
import io.sluice.redis.call.RedisReservation;
import io.sluice.redis.call.ReserveCall;
import io.sluice.spi.Callbacks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/*
 * Only the first waiter of a queue has a request in flight, or a timer. When it has its answer, the next waiter asks.
 *
 * While Redis is away, a queue asks nothing. It wakes up when Redis has answered any call in time. Then the first waiter
 * asks, and so on, one after the other. If only a part of a cluster is away, other calls are answered all the time. So a
 * queue that has just asked without success pauses first. And because there may be no other calls to that part, a queue
 * also asks by itself now and then.
 */
/** The wait queues of one limiter, one for each key: for permits that cannot be reserved ahead, or for Redis. Thread-safe. */
final class WaitQueues {
    /** The shortest time between two requests of a queue while Redis is away. */
    private static final long PAUSE_NANOS = 100_000_000;

    /** How often a queue asks by itself while Redis is away. */
    private static final long RETRY_MICROS = 5_000_000;

    private final RedisLimiter limiter;
    private final Sleep sleep;

    private final GrantedAction granted;

    /** What to do with a waiter whose permits were granted. */
    interface GrantedAction {
        /** Lets the waiter sleep until its permits may be used, then completes it. */
        void sleep(String key, Waiter waiter, Admission reservation);
    }

    /** Guards the queues and their waiters. Never held during a request to Redis or while a waiter is completed. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Map<String, WaitQueue> queues = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** The waiters of one key, in order of arrival. */
    private static final class WaitQueue {
        final TreeSet<Waiter> waiters = new TreeSet<>(Comparator.comparingLong(Waiter::number));
        Runnable cancelTimer = () -> {};

        /** Whether a request is in flight. */
        boolean asking;

        /** Whether something has changed since the request was sent. */
        boolean changed;

        /** Whether the queue waits until Redis is back. */
        boolean away;

        boolean isFirst(Waiter waiter) {
            return !waiters.isEmpty() && waiters.iterator().next().equals(waiter);
        }
    }

    WaitQueues(RedisLimiter limiter, Sleep sleep, GrantedAction granted) {
        this.limiter = limiter;
        this.sleep = sleep;
        this.granted = granted;
    }

    /** Whether a key has waiters. */
    boolean has(String key) {
        return queues.containsKey(key);
    }

    /** Adds a waiter to the queue of a key, until permits are free or its timeout ends. */
    void enqueue(String key, Waiter waiter) {
        boolean first = add(key, waiter, false);
        if (first) {
            serve(key);
        } else if (!isAway(key) && !(waiter.enters() && limiter.limitsConcurrency())) {
            // A waiter whose timeout is certainly too short is refused now, not when its turn comes.
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
     * Adds a waiter to the queue of a key, until Redis is back and permits are free, or its timeout ends.
     *
     * @param returns how often Redis had come back before the waiter asked without success
     */
    void enqueueUntilRedisIsBack(String key, Waiter waiter, long returns) {
        if (add(key, waiter, true)) {
            awaitRedis(key, returns, System.nanoTime());
        }
    }

    /** Adds a waiter to the queue of a key. Returns whether it is the first. */
    private boolean add(String key, Waiter waiter, boolean away) {
        boolean first = exclusively(() -> {
            WaitQueue queue = queues.computeIfAbsent(key, unused -> new WaitQueue());
            queue.waiters.add(waiter);
            boolean alone = queue.waiters.size() == 1 && !queue.asking;
            queue.away |= alone && away;
            return alone;
        });
        long now = sleep.micros();
        Runnable cancelTimer = waiter.hasNoTimeout(sleep)
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
            WaitQueue queue = queues.get(key);
            return queue != null && queue.away;
        });
    }

    /** Permits that come exactly at the end of the timeout are in time. So the first of the queue asks once more. */
    private void timedOut(String key, Waiter waiter) {
        boolean stands = exclusively(() -> {
            WaitQueue queue = queues.get(key);
            return queue != null && queue.waiters.contains(waiter);
        });
        boolean asks = exclusively(() -> {
            WaitQueue queue = queues.get(key);
            return queue != null && queue.isFirst(waiter) && !queue.away;
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

    /** Removes a waiter. The next one may be the first now. */
    private void leave(String key, Waiter waiter) {
        boolean left = exclusively(() -> {
            WaitQueue queue = queues.get(key);
            return queue != null && queue.waiters.remove(waiter);
        });
        if (left) {
            serve(key);
        }
    }

    /** Asks Redis for the first waiter, unless the queue waits for Redis. */
    private void serve(String key) {
        boolean[] refused = new boolean[1];
        Waiter first = exclusively(() -> {
            WaitQueue queue = queues.get(key);
            if (queue == null) {
                return null;
            }
            queue.changed = queue.asking;
            if (queue.asking || (queue.away && !queue.waiters.isEmpty())) {
                return null;
            }
            queue.cancelTimer.run();
            if (queue.waiters.isEmpty()) {
                queues.remove(key);
                return null;
            }
            Waiter next = queue.waiters.iterator().next();
            refused[0] = !next.enters() && limiter.limitsConcurrency();
            queue.asking = !refused[0];
            return next;
        });
        if (first != null && refused[0]) {
            // The limits have changed since it began to wait. Then it leaves, and the next one is served. A long queue
            // would
            // overflow the stack.
            Callbacks.run(limiter.executor(), () -> first.future().completeExceptionally(limiter.unusable("acquire")));
        } else if (first != null) {
            ask(key, first);
        }
    }

    private void ask(String key, Waiter first) {
        long returns = limiter.health().returns();
        long asked = System.nanoTime();
        // A bucket reserves ahead, as without a queue: its waiters are here only because Redis was away.
        long atMost = limiter.canReserve() ? Math.max(0, first.deadline() - sleep.micros()) : 0;
        CompletableFuture<? extends Admission> call = limiter.ask(key, first, atMost);
        if (call.isDone()) {
            // Answered on this stack, without Redis. A long queue would overflow the stack.
            Callbacks.run(limiter.executor(), () -> answered(key, first, call.join(), returns, asked));
        } else {
            call.thenAccept(reservation -> answered(key, first, reservation, returns, asked));
        }
    }

    private void answered(String key, Waiter waiter, Admission reservation, long returns, long asked) {
        boolean wanted = exclusively(() -> {
            WaitQueue queue = queues.get(key);
            return queue != null && queue.waiters.contains(waiter);
        });
        if (!wanted) {
            // The waiter left meanwhile: its permits go back before the next one asks.
            reservation.cancelAsync();
        }
        boolean done = exclusively(() -> {
            WaitQueue queue = queues.get(key);
            if (queue == null) {
                return true;
            }
            queue.asking = false;
            queue.away = reservation.awaitsRedis();
            boolean inTime = waiter.isInTime(reservation, sleep);
            if (!wanted || reservation.granted() || (!inTime && (!queue.changed || queue.away))) {
                queue.waiters.remove(waiter);
                return true;
            }
            return false;
        });
        if (reservation.awaitsRedis()) {
            awaitRedis(key, returns, asked);
        }
        if (done) {
            // The next waiter asks before this one completes, so that no new caller comes between.
            serve(key);
            if (wanted && reservation.granted()) {
                granted.sleep(key, waiter, reservation);
            } else if (wanted && !closed) {
                // Otherwise it has left, or close fails it.
                Waiters.complete(waiter.future(), reservation);
            }
        } else if (!reservation.awaitsRedis()) {
            // First set what cancels the timer, then start it: the timer may fire at once, and must not be taken for
            // the
            // next one.
            CompletableFuture<@Nullable Void> cancelled = new CompletableFuture<>();
            boolean changed = setTimer(key, () -> cancelled.complete(null));
            cancelled.thenRun(
                    sleep.schedule(reservation.virtualMicros(), reservation.askAgainMicros(), () -> serve(key)));
            if (changed) {
                serve(key);
            }
        }
    }

    /** Lets a queue wait until Redis is back. */
    private void awaitRedis(String key, long returns, long askedNanos) {
        // First set what cancels the timers, then start them: they may fire at once.
        CompletableFuture<@Nullable Void> cancelled = new CompletableFuture<>();
        setTimer(key, () -> cancelled.complete(null));
        cancelled.thenRun(sleep.schedule(sleep.micros(), RETRY_MICROS, () -> wake(key)));
        cancelled.thenRun(limiter.health().onceBack(returns, () -> {
            long pause = askedNanos + PAUSE_NANOS - System.nanoTime();
            TimeSource.system().schedule(Math.max(0, pause / 1000), () -> wake(key));
        }));
    }

    /** Sets the timer of a queue. Returns whether something has changed meanwhile. */
    private boolean setTimer(String key, Runnable cancelTimer) {
        return exclusively(() -> {
            WaitQueue queue = queues.get(key);
            if (queue == null) {
                cancelTimer.run();
                return false;
            }
            queue.cancelTimer.run();
            queue.cancelTimer = cancelTimer;
            return queue.changed;
        });
    }

    /** Lets a queue ask again, because Redis may be back. */
    private void wake(String key) {
        exclusively(() -> {
            WaitQueue queue = queues.get(key);
            if (queue != null) {
                queue.away = false;
            }
            return true;
        });
        serve(key);
    }

    /** To be called when permits of a key may be free earlier than its waiters expect. */
    void changed(String key) {
        if (!queues.isEmpty()) {
            serve(key);
        }
    }

    /** To be called when the limits have changed, or Redis has accepted this limiter. */
    void allChanged() {
        if (!queues.isEmpty()) {
            List.copyOf(queues.keySet()).forEach(this::wake);
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

    /** Drops all queues and timers. The caller fails the waiters. */
    void close() {
        List<Runnable> timers = new ArrayList<>();
        exclusively(() -> {
            closed = true;
            queues.values().forEach(queue -> timers.add(queue.cancelTimer));
            queues.clear();
            return true;
        });
        timers.forEach(Runnable::run);
    }
}
