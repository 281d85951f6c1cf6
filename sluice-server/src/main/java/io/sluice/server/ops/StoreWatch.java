package io.sluice.server.ops;

import io.sluice.redis.RedisStore;
import io.vertx.core.Vertx;

/** Checks periodically whether Redis is reachable, and logs each change. */
public final class StoreWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    private static final long INTERVAL_MILLIS = 500;

    private final RedisStore store;
    private final Vertx vertx;
    private final long timer;
    private volatile boolean reachable;
    private boolean closed;

    public StoreWatch(RedisStore store, Vertx vertx) {
        this.store = store;
        this.vertx = vertx;
        reachable = store.isAvailable();
        if (!reachable) {
            LOG.log(System.Logger.Level.WARNING, "the store is not reachable");
        }
        timer = vertx.setPeriodic(INTERVAL_MILLIS, unused -> check());
    }

    /** The result of the latest check. */
    public boolean isReachable() {
        return reachable;
    }

    private synchronized void check() {
        update(store.isAvailable());
    }

    private void update(boolean available) {
        if (reachable != available && !closed) {
            reachable = available;
            LOG.log(
                    available ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
                    available ? "the store is reachable again" : "the store is not reachable");
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        vertx.cancelTimer(timer);
    }
}
