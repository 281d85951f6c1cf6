package io.sluice.redis.connect;

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

/** Keeps a store connected. Opens a link, and replaces it if it stays broken or its server is no longer the master. */
public final class Connection {
    private static final System.Logger LOG = System.getLogger("io.sluice.redis");
    private static final long RETRY_MICROS = 200_000;

    /** If so many attempts fail without a clear reason, the log says so anyway. */
    private static final int MOST_UNCLEAR = 5;

    private final ConnectionListener listener;
    private final Connector connector;
    private final AtomicBoolean opening = new AtomicBoolean();
    private volatile @Nullable Link link;
    private final CompletableFuture<Link> first = new CompletableFuture<>();
    private volatile boolean warned;
    private final AtomicInteger unclear = new AtomicInteger();
    private volatile @Nullable Throwable failure;
    private volatile boolean closed;
    private volatile long lastAnswer = System.nanoTime();

    public Connection(Connector connector, ConnectionListener listener) {
        this.connector = connector;
        this.listener = listener;
    }

    public @Nullable Link link() {
        return link;
    }

    /** Starts to open the connection. Completes when it is open for the first time. */
    public CompletableFuture<Link> start() {
        open(null);
        return first;
    }

    /** Why there is no connection, for the log. */
    public String reason() {
        Throwable known = failure;
        String reason = String.valueOf(NoAnswerException.notConnected().getMessage());
        return known == null ? reason : reason + ": " + FailureReasons.of(known);
    }

    private void adopt(Link opened) {
        Link before = link;
        opened.connection().addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> channel) {
                // A link that was replaced closes later. That does not concern the new one.
                if (!opened.isCluster() && opened == link) {
                    listener.disconnected();
                }
            }

            @Override
            public void onRedisConnected(RedisChannelHandler<?, ?> channel, SocketAddress address) {
                if (opened == link) {
                    connected();
                    listener.connected();
                }
            }
        });
        link = opened;
        connected();
        if (before != null && before != opened) {
            listener.disconnected();
            before.close();
        }
        listener.connected();
        first.complete(opened);
    }

    private void connected() {
        warned = false;
        unclear.set(0);
        failure = null;
    }

    /** Opens a link if there is none. */
    public void check() {
        Link known = link;
        if ((known == null || (!known.isOpen() && !known.isCluster())) && connector.canReopen() && !closed) {
            open(null);
        }
    }

    /** @param demoted an open link that shall be replaced; null for none */
    private CompletableFuture<Link> open(@Nullable Link demoted) {
        if (!opening.compareAndSet(false, true)) {
            return CompletableFuture.failedFuture(NoAnswerException.notConnected());
        }
        long asked = System.nanoTime();
        return connect().whenComplete((opened, failure) -> {
            if (failure != null) {
                retryLater(failure);
                return;
            }
            Link known = link;
            // The old link may have recovered meanwhile. Then the calls that are on their way on it must not be lost.
            boolean silent = lastAnswer - asked < 0;
            boolean needed = known == null || (known == demoted && silent) || !known.isOpen();
            try {
                if (needed && !closed) {
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
        attemptFailed(failure);
        TimeSource.system().schedule(RETRY_MICROS, () -> {
            opening.set(false);
            Link known = link;
            if (!closed && (known == null || !known.isOpen())) {
                open(null);
            }
        });
    }

    /** An attempt has failed. A failure without a clear reason proves nothing yet: one of the next attempts will give the reason. */
    private void attemptFailed(Throwable cause) {
        boolean clear = FailureReasons.isClear(cause);
        if (clear || failure == null) {
            failure = cause;
        }
        if (!clear && unclear.incrementAndGet() < MOST_UNCLEAR) {
            return;
        }
        if (!FailureReasons.isSilence(cause)) {
            // If Redis was only silent, the cause may be this process: it is new, and the machine is busy.
            listener.connectFailed();
        }
        if (!warned && !closed) {
            warned = true;
            LOG.log(Level.WARNING, "Redis cannot be reached, limiters go on without it: {0}", FailureReasons.of(cause));
        }
    }

    /** Redis has answered on the current link. */
    public void answered() {
        lastAnswer = System.nanoTime();
    }

    /**
     * A call has failed. If the server has become a replica, another link must find the new master. If even a heartbeat
     * has no answer for seconds, the network may drop all packets, and only a new connection would show that.
     */
    public void failed(@Nullable Link used, Throwable cause) {
        // Before Redis 7, the error of a script stands in the middle of the message.
        boolean demoted = String.valueOf(cause.getMessage()).contains("READONLY");
        boolean unreachable = cause instanceof TimeoutException;
        if ((demoted || unreachable) && used != null && used == link && !used.isCluster() && connector.canReopen()) {
            open(used);
        }
    }

    /** Stops the attempts to connect. Returns false if that was done before. */
    public synchronized boolean stop() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    public boolean isStopped() {
        return closed;
    }

    public void close() {
        connector.close(link);
    }
}
