package io.sluice.redis;

import io.sluice.TimeSource;
import io.sluice.redis.Shard.Failure;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Whether Redis answers, as far as is known here. */
final class Health {
    /** A server that nobody has asked in vain for so long may be well again, or may be gone for good. */
    private static final long FAILING_NANOS = 1_000_000_000L;

    private final RedisStore store;
    private final DegradedLog log;

    /** Whether somebody was answered without Redis since it last answered. */
    private final AtomicBoolean degrading = new AtomicBoolean();

    /** How often Redis came back. */
    private volatile long returns;

    /** What to do when it comes back. */
    private final Set<Runnable> onceBack = ConcurrentHashMap.newKeySet();
    /** Why Redis, which answers, could not decide something. */
    private volatile @Nullable Failure refusal;

    Health(RedisStore store) {
        this.store = store;
        this.log = new DegradedLog(TimeSource.system(), store.events);
    }

    boolean isGood() {
        Link link = store.link();
        return link != null && link.isOpen() && !store.shards.isAnyOpen() && !degrading.get();
    }

    /** Redis has decided, in time. */
    void called(Batch batch, long nanos) {
        store.connection.answered();
        store.coldStart.answered(batch, nanos);
        answered();
        store.events.called(batch, nanos);
    }

    /** Redis answers in time. What was denied before may have been given back meanwhile. */
    void answered() {
        if (degrading.get() && degrading.compareAndSet(true, false)) {
            store.denials.forgetAll();
            cameBack();
        }
        if (log.isDegraded() && !isFailing()) {
            log.ended();
        }
        store.localShares.chargeSome();
    }

    /** Whether somebody was answered without Redis since it last answered. */
    boolean isDegrading() {
        return degrading.get();
    }

    /** Whether a server, of which there may be several, has just failed to answer. */
    private boolean isFailing() {
        return isRecent(store.shards.failure());
    }

    private static boolean isRecent(@Nullable Failure failure) {
        return failure != null && System.nanoTime() - failure.nanos() < FAILING_NANOS;
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
        shard.failed(cause);
        store.coldStart.failed(batch);
        store.events.failed(batch, cause);
        store.connection.failed(link, cause);
    }

    /** Redis answers, but could not decide this. */
    void refused(Batch batch, Throwable cause) {
        refusal = new Failure(cause, System.nanoTime());
        store.events.failed(batch, cause);
    }

    /** Somebody was answered without Redis. */
    void degraded(RedisLimiter limiter) {
        if (store.warmUp.isOwn(limiter)) {
            return;
        }
        unanswered(limiter);
        store.events.degraded(limiter);
    }

    /** Redis did not answer, and whoever asked waits for it. */
    void unanswered(RedisLimiter limiter) {
        degrading.set(true);
        if (!log.isDegraded() && !store.isClosed()) {
            log.began(reason(limiter));
        }
    }

    private String reason(RedisLimiter limiter) {
        Link link = store.link();
        Failure failure = store.shards.failure();
        Failure refused = refusal;
        if (link == null || !link.isOpen()) {
            return store.connection.reason();
        } else if (refused != null && isRecent(refused)) {
            return Reasons.of(refused.cause());
        } else if (failure != null) {
            return Reasons.of(failure.cause());
        } else if (!limiter.isAgreed()) {
            return "the limits of limiter \"" + limiter.name() + "\" could not be agreed with Redis";
        }
        return Reasons.of(Late.unanswered());
    }
}
