package io.sluice.redis.connect;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens the connections of a store. */
public abstract class Connector {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    /** Opens a connection. */
    public abstract CompletionStage<Link> open();

    /** Whether it can open another connection when one is broken. */
    public boolean canReopen() {
        return true;
    }

    /** Closes what belongs to the store. */
    public abstract void close(@Nullable Link link);

    /** Uses one connection that belongs to the caller. */
    public static Connector of(StatefulConnection<?, ?> connection) {
        Link link = new Link(connection);
        return new Connector() {
            @Override
            public CompletionStage<Link> open() {
                return CompletableFuture.completedFuture(link);
            }

            @Override
            public boolean canReopen() {
                return false;
            }

            @Override
            public void close(@Nullable Link unused) {}
        };
    }

    /** Opens connections of a client that belongs to the caller. */
    public static Connector of(RedisClient client) {
        return ofClient(() -> client.connect(ByteArrayCodec.INSTANCE));
    }

    /** Opens connections of a client that belongs to the caller. */
    public static Connector of(RedisClusterClient client) {
        return ofClient(() -> client.connect(ByteArrayCodec.INSTANCE));
    }

    private static Connector ofClient(Supplier<StatefulConnection<?, ?>> connect) {
        return new Connector() {
            @Override
            public CompletionStage<Link> open() {
                return CompletableFuture.supplyAsync(() -> new Link(connect.get()), Connector::inBackground);
            }

            @Override
            public void close(@Nullable Link link) {
                if (link != null) {
                    awaitClosed(link.close());
                }
            }
        };
    }

    /** The owner of the client may shut it down next. That would close the connection a second time, with a warning in the log. */
    private static void awaitClosed(CompletableFuture<Void> closed) {
        try {
            closed.get(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The connection is gone, or closes later.
        }
    }

    /** Connecting may block as long as the client's own timeout, which is a minute by default. */
    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task, "sluice-redis-connect");
        thread.setDaemon(true);
        thread.start();
    }

    /** Creates clients for these addresses. */
    public static Connector of(List<RedisURI> uris) {
        return new OwnClients(uris);
    }

    /*
     * A command that was sent is never sent again after a reconnect: Redis may have executed it already. Attempts to
     * reconnect follow at short, constant intervals, because until then limiters answer without Redis.
     */
    private static final class OwnClients extends Connector {
        private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

        /** In a new process on a busy machine, the login takes long. */
        private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(10);

        private final List<RedisURI> uris;
        private final ClientResources resources = DefaultClientResources.builder()
                .reconnectDelay(() -> Delay.constant(Duration.ofMillis(100)))
                .build();
        private @Nullable RedisClient single;
        private @Nullable RedisClusterClient cluster;

        OwnClients(List<RedisURI> uris) {
            this.uris = List.copyOf(uris);
            uris.forEach(uri -> uri.setTimeout(LOGIN_TIMEOUT));
        }

        @Override
        public CompletionStage<Link> open() {
            return open(0);
        }

        /** Tries one address after the other. The first server that can be reached knows the others. */
        private CompletableFuture<Link> open(int which) {
            RedisURI uri = uris.get(which);
            CompletableFuture<Link> opened = uri.getSentinels().isEmpty()
                    ? single().connectAsync(StringCodec.UTF8, uri)
                            .toCompletableFuture()
                            .thenCompose(this::afterLooking)
                    : single().connectAsync(ByteArrayCodec.INSTANCE, uri)
                            .toCompletableFuture()
                            .thenApply(Link::new);
            return which + 1 == uris.size() ? opened : opened.exceptionallyCompose(failure -> open(which + 1));
        }

        /** If the server is part of a cluster, connects to the whole cluster. */
        private CompletionStage<Link> afterLooking(StatefulRedisConnection<String, String> connection) {
            return connection
                    .async()
                    .info("cluster")
                    .toCompletableFuture()
                    .orTimeout(LOGIN_TIMEOUT.toSeconds(), TimeUnit.SECONDS)
                    .whenComplete((info, failure) -> {
                        if (failure != null || info.contains("cluster_enabled:1")) {
                            connection.closeAsync();
                        }
                    })
                    .thenCompose(info -> info.contains("cluster_enabled:1")
                            ? openCluster()
                            : CompletableFuture.completedFuture(new Link(connection)));
        }

        /** The client must know the servers of the cluster before it connects. */
        private CompletionStage<Link> openCluster() {
            RedisClusterClient client = cluster();
            return client.refreshPartitionsAsync()
                    .thenCompose(unused -> client.connectAsync(ByteArrayCodec.INSTANCE))
                    .thenApply(Link::new);
        }

        private synchronized RedisClient single() {
            if (single == null) {
                single = RedisClient.create(resources);
                single.setOptions(configured(ClientOptions.builder()).build());
            }
            return single;
        }

        private synchronized RedisClusterClient cluster() {
            if (cluster == null) {
                cluster = RedisClusterClient.create(resources, new ArrayList<>(uris));
                ClusterClientOptions.Builder options =
                        ClusterClientOptions.builder().topologyRefreshOptions(topologyRefresh());
                // The first call to a server opens the connection to it, and waits for it.
                configured(options).disconnectedBehavior(DisconnectedBehavior.DEFAULT);
                cluster.setOptions(options.build());
            }
            return cluster;
        }

        /** All triggers are the default since Lettuce 7, and deprecated. Without them, 6.6 would find a new master seconds later. */
        @SuppressWarnings("deprecation")
        private static ClusterTopologyRefreshOptions topologyRefresh() {
            return ClusterTopologyRefreshOptions.builder()
                    .enableAllAdaptiveRefreshTriggers()
                    .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
                    .enablePeriodicRefresh(Duration.ofSeconds(5))
                    .dynamicRefreshSources(true)
                    .build();
        }

        private static <B extends ClientOptions.Builder> B configured(B options) {
            options.autoReconnect(true)
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                    .replayFilter(command -> true)
                    // The store has its own deadlines.
                    .timeoutOptions(TimeoutOptions.create())
                    .socketOptions(SocketOptions.builder()
                            .connectTimeout(CONNECT_TIMEOUT)
                            .keepAlive(true)
                            .build());
            return options;
        }

        @Override
        public synchronized void close(@Nullable Link link) {
            // The clients close their connections. After that, nothing needs the resources.
            CompletableFuture.allOf(
                            single == null ? done() : single.shutdownAsync(0, 1, TimeUnit.SECONDS),
                            cluster == null ? done() : cluster.shutdownAsync(0, 1, TimeUnit.SECONDS))
                    .whenComplete((unused, failure) -> resources.shutdown(0, 1, TimeUnit.SECONDS));
        }

        private static CompletableFuture<?> done() {
            return CompletableFuture.completedFuture(null);
        }
    }
}
