package io.sluice.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisReadOnlyException;
import io.sluice.TimeSource;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Keeps a store connected: opens the link, and another one if it stays broken or leads to a server that lost its role. */
final class Connection {
    private static final System.Logger LOG = System.getLogger("io.sluice.redis");
    private static final long PATIENCE_SECONDS = 2;
    private static final long RETRY_MICROS = 200_000;

    private final RedisStore store;
    private final Connector connector;
    private final AtomicBoolean opening = new AtomicBoolean();
    private volatile @Nullable Link link;
    private volatile boolean warned;

    Connection(RedisStore store, Connector connector) {
        this.store = store;
        this.connector = connector;
    }

    @Nullable
    Link link() {
        return link;
    }

    /** Opens the link; if Redis cannot be reached, goes on without and keeps trying. */
    void start() {
        opening.set(true);
        try {
            adopt(connector.open().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            opening.set(false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            retryLater(e);
        } catch (ExecutionException | TimeoutException e) {
            retryLater(e);
        }
    }

    private void adopt(Link opened) {
        Link before = link;
        opened.connection().addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> channel) {
                if (!opened.isCluster()) {
                    store.disconnected();
                }
            }

            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> channel, SocketAddress address) {
                store.connected();
            }
        });
        link = opened;
        warned = false;
        if (before != null && before != opened) {
            store.disconnected();
            before.close();
        }
        store.connected();
    }

    /** Looks whether there is a link, and opens one if not. */
    void check() {
        Link known = link;
        if ((known == null || (!known.isOpen() && !known.isCluster())) && connector.canReopen() && !store.isClosed()) {
            open();
        }
    }

    private void open() {
        if (opening.compareAndSet(false, true)) {
            connector.open().whenComplete((opened, failure) -> {
                if (failure != null) {
                    retryLater(failure);
                } else if (store.isClosed()) {
                    opened.close();
                } else {
                    adopt(opened);
                    opening.set(false);
                }
            });
        }
    }

    private void retryLater(Throwable failure) {
        if (!warned) {
            warned = true;
            LOG.log(Level.WARNING, "Redis cannot be reached, limiters go on without it: {0}", failure.toString());
        }
        TimeSource.system().schedule(RETRY_MICROS, () -> {
            opening.set(false);
            Link known = link;
            if (!store.isClosed() && (known == null || !known.isOpen())) {
                open();
            }
        });
    }

    /** A call failed. A server that only replicates now will not do any more: the link must find the new one. */
    void failed(@Nullable Link used, Throwable cause) {
        boolean demoted = cause instanceof RedisReadOnlyException;
        if (demoted && used != null && used == link && !used.isCluster() && connector.canReopen()) {
            open();
        }
    }

    void close() {
        connector.close(link);
    }
}
