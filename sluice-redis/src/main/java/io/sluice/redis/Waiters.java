package io.sluice.redis;

import io.sluice.redis.call.Admission;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/*
 * As in memory, there are two ways to wait, but here each question is a round trip. A bucket reserves the permits in one
 * call, and the waiter only sleeps. The waiters of a window join the wait queue of their key.
 *
 * If Redis does not answer, a waiter joins the wait queue too, until Redis is back: no waiter gets permits just because
 * Redis is away. If the limiter's own options say what to do without Redis (allow, or the local share), that is done. A
 * waiter that the local share denies asks again later, as long as its timeout allows.
 *
 * While a key is paused, nothing is reserved: after the pause, all reservations would run at the same time. So a waiter
 * that wakes up first asks whether the key was paused meanwhile. If so, it gives its permits back and joins the wait queue,
 * before the waiters that came later.
 */
/** The callers that wait for permits of one limiter. Thread-safe. */
final class Waiters {
    private final RedisLimiter limiter;
    private final Sleep sleep;
    private final WaitQueues queues;
    private final Set<CompletableFuture<Admission>> waiting = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletableFuture<?>> givingBack = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean closed;

    Waiters(RedisLimiter limiter) {
        this.limiter = limiter;
        this.sleep = new Sleep(limiter.virtualTime());
        this.queues = new WaitQueues(limiter, sleep, this::sleep);
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Starts to wait.
     *
     * @param enters whether the caller wants to hold the permit
     * @return an answer whose delay is over, or that is not granted. Cancelling the future gives the permits back.
     */
    CompletableFuture<Admission> start(String key, long permits, boolean enters, long timeoutMicros) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        CompletableFuture<Admission> future = register();
        Waiter waiter = new Waiter(numbers.incrementAndGet(), permits, enters, sleep.micros() + timeoutMicros, future);
        CompletableFuture<?> pending = givingBack.get(key);
        if (pending != null) {
            pending.whenComplete((given, failure) -> ask(key, waiter));
        } else {
            ask(key, waiter);
        }
        return future;
    }

    private void ask(String key, Waiter waiter) {
        if (!limiter.canReserve() || queues.has(key)) {
            queues.enqueue(key, waiter);
            return;
        }
        CompletableFuture<Admission> future = waiter.future();
        CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();
        future.whenComplete((admitted, failure) -> {
            if (failure != null && !settled.isDone()) {
                giveBackFirst(key, settled);
            }
        });
        long returns = limiter.health().returns();
        long timeoutMicros = Math.max(0, waiter.deadline() - sleep.micros());
        limiter.ask(key, waiter, timeoutMicros)
                .thenAccept(reservation -> {
                    if (future.isDone()) {
                        reservation.cancelAsync().whenComplete((given, failure) -> settled.complete(null));
                    } else {
                        settled.complete(null);
                        answered(key, waiter, reservation, returns);
                    }
                })
                .exceptionally(failure -> {
                    future.completeExceptionally(failure);
                    return null;
                });
    }

    private void answered(String key, Waiter waiter, Admission reservation, long returns) {
        boolean mayComeLater = waiter.isInTime(reservation, sleep)
                && (reservation.isDegraded() || reservation.isPaused() || !limiter.canReserve());
        if (reservation.granted()) {
            sleep(key, waiter, reservation);
        } else if (!mayComeLater) {
            complete(waiter.future(), reservation);
        } else if (reservation.awaitsRedis()) {
            queues.enqueueUntilRedisIsBack(key, waiter, returns);
        } else {
            queues.enqueue(key, waiter);
        }
    }

    /** A waiter that left while its request was in flight gives back first. Only then do later waiters of the key ask. */
    private void giveBackFirst(String key, CompletableFuture<@Nullable Void> settled) {
        CompletableFuture<?> all = givingBack.merge(key, settled, CompletableFuture::allOf);
        all.whenComplete((given, failure) -> givingBack.remove(key, all));
    }

    private void sleep(String key, Waiter waiter, Admission reservation) {
        CompletableFuture<Admission> future = waiter.future();
        if (reservation.waitMicros() == 0) {
            complete(future, reservation);
            return;
        }
        // Before anybody can see that this waiter sleeps: who leaves then gives back at once, before the caller goes
        // on.
        future.whenComplete((admitted, failure) -> {
            if (failure != null) {
                reservation.cancelAsync();
            }
        });
        Runnable cancelTimer = sleep.schedule(
                reservation.virtualMicros(), reservation.waitMicros(), () -> wake(key, waiter, reservation));
        future.whenComplete((admitted, failure) -> {
            if (failure != null) {
                cancelTimer.run();
            }
        });
    }

    /** Ends the wait, unless any process has paused the key meanwhile. */
    private void wake(String key, Waiter waiter, Admission reservation) {
        limiter.pauseRest(key).thenAccept(rest -> {
            if (rest == 0) {
                complete(waiter.future(), reservation);
            } else {
                reservation.cancelAsync().whenComplete((given, failure) -> queues.enqueue(key, waiter));
            }
        });
    }

    /** Completes a waiter. Gives the permits back if the waiter has left. */
    static void complete(CompletableFuture<Admission> future, Admission reservation) {
        if (!future.complete(reservation)) {
            // It timed out, or was interrupted or cancelled, in the meantime.
            reservation.cancelAsync();
        }
    }

    private CompletableFuture<Admission> register() {
        CompletableFuture<Admission> future = new CompletableFuture<>();
        waiting.add(future);
        future.whenComplete((admitted, failure) -> waiting.remove(future));
        if (closed) {
            future.completeExceptionally(closedException());
        }
        return future;
    }

    /** To be called when permits of a key may be free earlier than its waiters expect. */
    void changed(String key) {
        queues.changed(key);
    }

    void allChanged() {
        queues.allChanged();
    }

    void close() {
        closed = true;
        queues.close();
        List.copyOf(waiting).forEach(future -> future.completeExceptionally(closedException()));
    }

    IllegalStateException closedException() {
        return new IllegalStateException("limiter \"" + limiter.name() + "\": closed (expected: waiting before close)");
    }
}
