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
import org.jspecify.annotations.Nullable;

/*
 * There are two ways to wait. A bucket takes the permits at once, as a debt, and knows when they may be used: the waiter
 * only sleeps. A window cannot reserve ahead, and neither can a limit of concurrency. So its waiters join a queue, one for each key. The first waiter sleeps until
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
    private final Set<CompletableFuture<?>> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** The waiters of one key, in order of arrival. */
    private static final class WaitQueue {
        final TreeSet<Waiter<?>> waiters = new TreeSet<>(Comparator.comparingLong(waiter -> waiter.number));
        Runnable cancelTimer = () -> {};
    }

    /** A caller that waits. The number is the order of arrival. */
    private static final class Waiter<T> {
        final long number;
        final Ask<T> ask;
        final long deadline;
        final CompletableFuture<T> future = new CompletableFuture<>();

        Waiter(long number, Ask<T> ask, long deadline) {
            this.number = number;
            this.ask = ask;
            this.deadline = deadline;
        }

        /** One attempt without a delay. */
        Served<T> attempt() {
            try {
                return new Served<>(this, ask.attempt(0), null);
            } catch (IllegalStateException refused) {
                // An update has made what it asks for impossible.
                return new Served<>(this, null, refused);
            }
        }
    }

    /** A waiter that is completed after the lock is released, with the answer or the failure. */
    private record Served<T>(
            Waiter<T> waiter,
            Ask.@Nullable Answer<T> answer,
            @Nullable IllegalStateException failure) {
        /** How long to wait before the next attempt; negative if there will be none. */
        long waitMicros(long now) {
            boolean again = answer != null && !answer.granted() && answer.leastMicros() <= waiter.deadline - now;
            return answer != null && again ? answer.waitMicros() : -1;
        }

        void complete() {
            if (answer == null) {
                waiter.future.completeExceptionally(failure);
            } else if (waiter.future.isDone() || !waiter.future.complete(answer.result())) {
                // It timed out, or was interrupted or cancelled, at the same moment.
                answer.cancel();
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
     * @return what was asked for, ready to be used, or a refusal. Cancelling the future gives it back.
     */
    <T> CompletableFuture<T> start(String key, Ask<T> ask, long timeoutMicros) {
        if (closed) {
            return CompletableFuture.failedFuture(closedException());
        }
        Waiter<T> waiter = new Waiter<>(numbers.incrementAndGet(), ask, time.micros() + timeoutMicros);
        if (!queues.containsKey(key)) {
            Ask.Answer<T> answer = ask.attempt(timeoutMicros);
            if (answer.granted()) {
                return sleep(key, waiter, answer);
            } else if (answer.leastMicros() > timeoutMicros) {
                return CompletableFuture.completedFuture(answer.result());
            }
        } else {
            long least = ask.leastMicros();
            if (least > timeoutMicros) {
                return CompletableFuture.completedFuture(ask.refused(least).result());
            }
        }
        register(waiter.future);
        enqueue(key, waiter, timeoutMicros);
        if (timeoutMicros == 0) {
            waiter.future.complete(ask.refused(0).result());
        }
        return waiter.future;
    }

    private <T> CompletableFuture<T> sleep(String key, Waiter<T> waiter, Ask.Answer<T> answer) {
        if (answer.waitMicros() == 0) {
            return CompletableFuture.completedFuture(answer.result());
        }
        register(waiter.future);
        Runnable cancelTimer = time.schedule(answer.waitMicros(), () -> wake(key, waiter, answer));
        waiter.future.whenComplete((admitted, failure) -> {
            if (failure != null) {
                cancelTimer.run();
                answer.cancel();
            }
        });
        return waiter.future;
    }

    /** Ends the wait, unless the key was paused meanwhile. */
    private <T> void wake(String key, Waiter<T> waiter, Ask.Answer<T> answer) {
        if (limiter.pausedFor(key) == 0) {
            waiter.future.complete(answer.result());
        } else {
            answer.cancel();
            enqueue(key, waiter, waiter.deadline - time.micros());
        }
    }

    private <T> void enqueue(String key, Waiter<T> waiter, long timeoutMicros) {
        exclusively(() ->
                queues.computeIfAbsent(key, unused -> new WaitQueue()).waiters.add(waiter));
        Runnable cancelTimer = timeoutMicros >= Exact.MAX_MICROS / 2
                ? () -> {}
                : time.schedule(Math.max(0, timeoutMicros), () -> {
                    // Permits that come exactly at the end of the timeout are in time.
                    serve(key);
                    waiter.future.complete(waiter.ask.refused(0).result());
                });
        waiter.future.whenComplete((admitted, failure) -> {
            cancelTimer.run();
            leave(key, waiter);
        });
        serve(key);
    }

    private void register(CompletableFuture<?> future) {
        waiting.add(future);
        future.whenComplete((admitted, failure) -> waiting.remove(future));
        if (closed) {
            future.completeExceptionally(closedException());
        }
    }

    /** Removes a waiter that got no permits. The next one may be the first now. */
    private void leave(String key, Waiter<?> waiter) {
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
        List<Served<?>> served = new ArrayList<>();
        exclusively(() -> {
            WaitQueue queue = queues.get(key);
            if (queue == null) {
                return;
            }
            queue.cancelTimer.run();
            Iterator<Waiter<?>> waiters = queue.waiters.iterator();
            while (waiters.hasNext()) {
                Waiter<?> first = waiters.next();
                Served<?> attempt = first.attempt();
                long wait = attempt.waitMicros(time.micros());
                if (wait >= 0) {
                    queue.cancelTimer = time.schedule(wait, () -> serve(key));
                    return;
                }
                waiters.remove();
                served.add(attempt);
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
