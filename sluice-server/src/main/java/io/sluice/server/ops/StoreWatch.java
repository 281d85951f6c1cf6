package io.sluice.server.ops;

import io.sluice.redis.RedisStore;
import io.vertx.core.Vertx;

/** Whether Redis can be reached, and a line in the log when that changes. */
public final class StoreWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    private static final long EVERY_MILLIS = 500;

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
        timer = vertx.setPeriodic(EVERY_MILLIS, unused -> look());
    }

    /** Whether it could be reached when it was last looked at. */
    public boolean isReachable() {
        return reachable;
    }

    private synchronized void look() {
        found(store.isAvailable());
    }

    private void found(boolean itIs) {
        if (reachable != itIs && !closed) {
            reachable = itIs;
            LOG.log(
                    itIs ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
                    itIs ? "the store is reachable again" : "the store is not reachable");
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        vertx.cancelTimer(timer);
    }
}
