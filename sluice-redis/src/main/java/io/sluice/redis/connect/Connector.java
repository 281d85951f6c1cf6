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
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a store gets its connection, and another when that is gone. */
public abstract class Connector {
    /** Opens a connection. */
    public abstract CompletionStage<Link> open();

    /** Whether a connection that is broken can be replaced. */
    public boolean canReopen() {
        return true;
    }

    /** Ends what belongs to the store. */
    public abstract void close(@Nullable Link link);

    /** A connection that somebody else made, and ends. */
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

    /** Connections of a client that somebody else made, and ends. */
    public static Connector of(RedisClient client) {
        return ofClient(() -> client.connect(ByteArrayCodec.INSTANCE));
    }

    /** Connections of a client that somebody else made, and ends. */
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
                    link.close();
                }
            }
        };
    }

    /** Connecting may block for as long as the client's own timeout, a minute by default. */
    private static void inBackground(Runnable task) {
        Thread thread = new Thread(task, "sluice-redis-connect");
        thread.setDaemon(true);
        thread.start();
    }

    /** Clients of its own. */
    public static Connector of(List<RedisURI> uris) {
        return new OwnClients(uris);
    }

    /*
     * What was sent once is never sent again after a reconnect: it may have been decided already. Reconnecting goes on
     * at short, constant intervals, because whoever degrades waits for it.
     */
    private static final class OwnClients extends Connector {
        private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

        /** Logging in takes long in a new process on a busy machine; a server that ends or goes on is noticed at once. */
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

        /** Of several servers, the first that can be reached leads to all. */
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

        /** A server of a cluster says so; then the whole cluster is meant. */
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

        /** Connecting takes for granted that the servers are known. */
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
                ClusterClientOptions.Builder options = ClusterClientOptions.builder()
                        .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                                .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
                                .enablePeriodicRefresh(Duration.ofSeconds(5))
                                .dynamicRefreshSources(true)
                                .build());
                // To a server that is asked for the first time, the connection is made then, and the call waits for it.
                configured(options).disconnectedBehavior(DisconnectedBehavior.DEFAULT);
                cluster.setOptions(options.build());
            }
            return cluster;
        }

        private static <B extends ClientOptions.Builder> B configured(B options) {
            options.autoReconnect(true)
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                    .replayFilter(command -> true)
                    // The store has deadlines of its own.
                    .timeoutOptions(TimeoutOptions.create())
                    .socketOptions(SocketOptions.builder()
                            .connectTimeout(CONNECT_TIMEOUT)
                            .keepAlive(true)
                            .build());
            return options;
        }

        @Override
        public synchronized void close(@Nullable Link link) {
            // The clients close their connections; then nothing needs the resources any more.
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
