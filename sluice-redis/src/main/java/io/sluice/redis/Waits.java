package io.sluice.redis;

import io.sluice.redis.call.RedisReservation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/*
 * As in memory, there are two ways to wait, but here asking takes a round trip. A bucket reserves the wait in one call,
 * and the waiter only sleeps. The waiters of a window stand in a line for each key.
 *
 * Where Redis does not answer, a waiter stands in line as well, until Redis is back: nobody goes through just because
 * Redis is away. Where the limiter's own options say what to do without Redis (allow, or the local share), that is done;
 * a waiter who is denied by the share asks again later, as long as its timeout allows.
 *
 * While a key is paused, nobody is promised anything: all would come at once when the pause is over. So whoever has slept
 * asks first whether the key was paused meanwhile; if so, it gives its permits back and stands in line, before those who
 * came after it.
 */
/** Who waits for permits of one limiter. */
final class Waits {
    private final RedisLimiter limiter;
    private final Sleep sleep;
    private final Lines lines;
    private final Set<CompletableFuture<RedisReservation>> waiting = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletableFuture<?>> settling = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private volatile boolean closed;

    Waits(RedisLimiter limiter) {
        this.limiter = limiter;
        this.sleep = new Sleep(limiter.virtualTime());
        this.lines = new Lines(limiter, sleep, this::sleep);
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
        Waiter waiter = new Waiter(numbers.incrementAndGet(), permits, sleep.micros() + timeoutMicros, future);
        CompletableFuture<?> leaving = settling.get(key);
        if (leaving != null) {
            leaving.whenComplete((given, failure) -> ask(key, waiter));
        } else {
            ask(key, waiter);
        }
        return future;
    }

    private void ask(String key, Waiter waiter) {
        if (!limiter.canReserve() || lines.has(key)) {
            lines.queue(key, waiter);
            return;
        }
        CompletableFuture<RedisReservation> future = waiter.future();
        CompletableFuture<@Nullable Void> settled = new CompletableFuture<>();
        future.whenComplete((admitted, failure) -> {
            if (failure != null && !settled.isDone()) {
                settle(key, settled);
            }
        });
        long returns = limiter.health().returns();
        long timeoutMicros = Math.max(0, waiter.deadline() - sleep.micros());
        limiter.reserve(key, waiter.permits(), timeoutMicros, true)
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

    private void answered(String key, Waiter waiter, RedisReservation reservation, long returns) {
        boolean mayComeLater = waiter.isInTime(reservation, sleep)
                && (reservation.isDegraded() || reservation.isPaused() || !limiter.canReserve());
        if (reservation.granted()) {
            sleep(key, waiter, reservation);
        } else if (!mayComeLater) {
            tell(waiter.future(), reservation);
        } else if (reservation.awaitsRedis()) {
            lines.queueForRedis(key, waiter, returns);
        } else {
            lines.queue(key, waiter);
        }
    }

    /** Who left while its question was on its way gives back first, then the next of that key ask. */
    private void settle(String key, CompletableFuture<@Nullable Void> settled) {
        CompletableFuture<?> all = settling.merge(key, settled, CompletableFuture::allOf);
        all.whenComplete((given, failure) -> settling.remove(key, all));
    }

    private void sleep(String key, Waiter waiter, RedisReservation reservation) {
        CompletableFuture<RedisReservation> future = waiter.future();
        if (reservation.waitMicros() == 0) {
            tell(future, reservation);
            return;
        }
        Runnable cancelTimer = sleep.schedule(
                reservation.virtualMicros(), reservation.waitMicros(), () -> wake(key, waiter, reservation));
        future.whenComplete((admitted, failure) -> {
            if (failure != null) {
                cancelTimer.run();
                reservation.cancelAsync();
            }
        });
    }

    /** The time has come, unless the key was paused meanwhile, by whatever process. */
    private void wake(String key, Waiter waiter, RedisReservation reservation) {
        limiter.pauseRest(key).thenAccept(rest -> {
            if (rest == 0) {
                tell(waiter.future(), reservation);
            } else {
                reservation.cancelAsync().whenComplete((given, failure) -> lines.queue(key, waiter));
            }
        });
    }

    /** Tells a waiter its answer, or gives back what nobody wants any more. */
    static void tell(CompletableFuture<RedisReservation> future, RedisReservation reservation) {
        if (!future.complete(reservation)) {
            // It timed out, was interrupted or cancelled in the meantime.
            reservation.cancelAsync();
        }
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

    /** Permits of a key may have become free earlier than its waiters were told. */
    void changed(String key) {
        lines.changed(key);
    }

    void allChanged() {
        lines.allChanged();
    }

    void close() {
        closed = true;
        lines.close();
        List.copyOf(waiting).forEach(future -> future.completeExceptionally(closedException()));
    }

    IllegalStateException closedException() {
        return new IllegalStateException("limiter \"" + limiter.name() + "\": closed (expected: waiting before close)");
    }
}
