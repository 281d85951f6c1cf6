package io.sluice.redis;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Whether Redis answers, as far as is known here. */
final class Health {
    private final RedisStore store;

    /** Whether somebody was answered without Redis since it last answered. */
    private final AtomicBoolean degrading = new AtomicBoolean();

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
        }
    }

    /** Redis has not decided. */
    void failed(@Nullable Link link, Shard shard, Batch batch, Throwable cause) {
        shard.failed();
        store.events.failed(batch, cause);
        store.connection.failed(link, cause);
    }

    /** Somebody was answered without Redis. */
    void degraded(RedisLimiter limiter) {
        degrading.set(true);
        store.events.degraded(limiter);
    }
}
