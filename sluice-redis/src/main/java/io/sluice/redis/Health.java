package io.sluice.redis;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Whether Redis answers, as far as is known here. */
final class Health {
    private final RedisStore store;

    /** Whether somebody was answered without Redis since it last answered. */
    private final AtomicBoolean degrading = new AtomicBoolean();

    /** How often Redis came back. */
    private volatile long returns;

    /** What to do when it comes back. */
    private final Set<Runnable> onceBack = ConcurrentHashMap.newKeySet();

    Health(RedisStore store) {
        this.store = store;
    }

    boolean isGood() {
        Link link = store.link();
        return link != null && link.isOpen() && !store.shards.isAnyOpen() && !degrading.get();
    }

    /** Redis has decided, in time. */
    void called(Batch batch, long nanos) {
        store.connection.answered();
        answered();
        store.events.called(batch, nanos);
    }

    /** Redis answers in time. What was denied before may have been given back meanwhile. */
    void answered() {
        if (degrading.get() && degrading.compareAndSet(true, false)) {
            store.denials.forgetAll();
            cameBack();
        }
        store.localShares.chargeSome();
    }

    /** Whether somebody was answered without Redis since it last answered. */
    boolean isDegrading() {
        return degrading.get();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // it only has to become another number
    private void cameBack() {
        returns++;
        for (Runnable task : List.copyOf(onceBack)) {
            if (onceBack.remove(task)) {
                task.run();
            }
        }
    }

    /** How often Redis came back: who notes this before it asks in vain does not miss the return. */
    long returns() {
        return returns;
    }

    /**
     * Runs a task once when Redis answers in time again: at once, if that happened since {@code noted}.
     *
     * @return what forgets the task
     */
    Runnable onceBack(long noted, Runnable task) {
        onceBack.add(task);
        if (returns != noted && onceBack.remove(task)) {
            task.run();
        }
        return () -> onceBack.remove(task);
    }

    /** Redis has not decided. */
    void failed(@Nullable Link link, Shard shard, Batch batch, Throwable cause) {
        shard.failed();
        store.events.failed(batch, cause);
        store.connection.failed(link, cause);
    }

    /** Somebody was answered without Redis. */
    void degraded(RedisLimiter limiter) {
        unanswered();
        store.events.degraded(limiter);
    }

    /** Redis did not answer, and whoever asked waits for it. */
    void unanswered() {
        degrading.set(true);
    }
}
