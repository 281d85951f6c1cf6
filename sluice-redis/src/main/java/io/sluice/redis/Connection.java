package io.sluice.redis;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.sluice.TimeSource;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Keeps a store connected: opens the link, and another one if it stays broken or leads to a server that lost its role. */
final class Connection {
    private static final System.Logger LOG = System.getLogger("io.sluice.redis");
    private static final long RETRY_MICROS = 200_000;

    /** So many attempts may fail before the log says so, if none of them says why. */
    private static final int MOST_UNCLEAR = 5;

    private final RedisStore store;
    private final Connector connector;
    private final AtomicBoolean opening = new AtomicBoolean();
    private volatile @Nullable Link link;
    private final CompletableFuture<Link> first = new CompletableFuture<>();
    private volatile boolean warned;
    private final AtomicInteger unclear = new AtomicInteger();
    private volatile @Nullable Throwable failure;
    private volatile long lastAnswer = System.nanoTime();

    Connection(RedisStore store, Connector connector) {
        this.store = store;
        this.connector = connector;
    }

    @Nullable
    Link link() {
        return link;
    }

    /** Opens the link and waits until Redis can decide; if that takes longer, goes on without and keeps trying. */
    void start(long waitNanos) {
        open(null);
        store.warmUp.rehearse();
        long end = System.nanoTime() + waitNanos;
        Patience.inVain(first, waitNanos);
        if (first.isDone()) {
            // On this thread: the one that brings the answers has enough to do.
            Patience.inVain(store.warmUp.look(first.join()), Math.max(0, end - System.nanoTime()));
        } else {
            first.thenAcceptAsync(store.warmUp::lookUnlessCalled);
        }
    }

    /** Why there is no connection. */
    String reason() {
        Throwable known = failure;
        String reason = String.valueOf(Late.disconnected().getMessage());
        return known == null ? reason : reason + ": " + Reasons.of(known);
    }

    private void adopt(Link opened) {
        Link before = link;
        opened.connection().addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> channel) {
                // One that was replaced ends later, and nothing of the new one with it.
                if (!opened.isCluster() && opened == link) {
                    store.disconnected();
                }
            }

            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> channel, SocketAddress address) {
                if (opened == link) {
                    connected();
                    store.connected();
                }
            }
        });
        link = opened;
        connected();
        if (before != null && before != opened) {
            store.disconnected();
            before.close();
        }
        store.connected();
        first.complete(opened);
    }

    private void connected() {
        warned = false;
        unclear.set(0);
        failure = null;
    }

    /** Looks whether there is a link, and opens one if not. */
    void check() {
        Link known = link;
        if ((known == null || (!known.isOpen() && !known.isCluster())) && connector.canReopen() && !store.isClosed()) {
            open(null);
        }
    }

    /** @param demoted a link that shall be replaced although it is open */
    private CompletableFuture<Link> open(@Nullable Link demoted) {
        if (!opening.compareAndSet(false, true)) {
            return CompletableFuture.failedFuture(Late.disconnected());
        }
        long asked = System.nanoTime();
        return connect().whenComplete((opened, failure) -> {
            if (failure != null) {
                retryLater(failure);
                return;
            }
            Link known = link;
            // The old link may have come back by itself meanwhile: then what it has on its way must not be lost.
            boolean silent = lastAnswer - asked < 0;
            boolean needed = known == null || (known == demoted && silent) || !known.isOpen();
            try {
                if (needed && !store.isClosed()) {
                    adopt(opened);
                } else {
                    opened.close();
                }
            } finally {
                opening.set(false);
            }
        });
    }

    private CompletableFuture<Link> connect() {
        try {
            return connector.open().toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void retryLater(Throwable failure) {
        heard(failure);
        TimeSource.system().schedule(RETRY_MICROS, () -> {
            opening.set(false);
            Link known = link;
            if (!store.isClosed() && (known == null || !known.isOpen())) {
                open(null);
            }
        });
    }

    /** An attempt whose failure does not say why proves nothing yet: others follow, of which one will. */
    private void heard(Throwable cause) {
        boolean clear = Reasons.isClear(cause);
        if (clear || failure == null) {
            failure = cause;
        }
        if (!clear && unclear.incrementAndGet() < MOST_UNCLEAR) {
            return;
        }
        store.coldStart.connectFailed();
        if (!warned && !store.isClosed()) {
            warned = true;
            LOG.log(Level.WARNING, "Redis cannot be reached, limiters go on without it: {0}", Reasons.of(cause));
        }
    }

    /** Redis has answered on the present link. */
    void answered() {
        lastAnswer = System.nanoTime();
    }

    /**
     * A call failed. A server that only replicates now will not do any more: the link must find the new one. Where even a
     * pulse is not answered for seconds, the way there may have gone dark, and only a new connection would tell.
     */
    void failed(@Nullable Link used, Throwable cause) {
        // Before Redis 7, what a script ran into is in the middle of the message.
        boolean demoted = String.valueOf(cause.getMessage()).contains("READONLY");
        boolean dark = cause instanceof TimeoutException;
        if ((demoted || dark) && used != null && used == link && !used.isCluster() && connector.canReopen()) {
            open(used);
        }
    }

    void close() {
        connector.close(link);
    }
}
