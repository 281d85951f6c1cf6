package io.sluice.server.ops;

import io.sluice.redis.RedisStore;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;

/*
 * The store knows that Redis is away from requests that were not answered, and that it is back from one that was. A server
 * that says it is not ready gets no requests: somebody has to ask in their place.
 */
/** Whether Redis can be reached, right to within a second or two. */
public final class StoreWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.sluice.server");
    private static final long EVERY_MILLIS = 500;
    private static final long PATIENCE_MILLIS = 1000;

    private final RedisStore store;
    private final Vertx vertx;
    private final long timer;
    private volatile boolean reachable;
    private boolean asking;
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

    /** Whether it could be reached when it was last asked. */
    public boolean isReachable() {
        return reachable;
    }

    private synchronized void look() {
        if (store.isAvailable()) {
            found(true);
        } else if (!asking) {
            asking = true;
            store.publication("policies")
                    .latest()
                    .toCompletableFuture()
                    .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .whenComplete((edition, failure) -> answered(failure == null));
        }
    }

    private synchronized void answered(boolean itIs) {
        asking = false;
        found(itIs);
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
