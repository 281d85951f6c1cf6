package io.sluice.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
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
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How a store gets its connection, and another when that is gone. */
abstract class Connector {
    /** Opens a connection. */
    abstract CompletionStage<Link> open();

    /** Whether a connection that is broken can be replaced. */
    boolean canReopen() {
        return true;
    }

    /** Ends what belongs to the store. */
    abstract void close(@Nullable Link link);

    /** A connection that somebody else made, and ends. */
    static Connector of(StatefulConnection<?, ?> connection) {
        Link link = new Link(connection);
        return new Connector() {
            @Override
            CompletionStage<Link> open() {
                return CompletableFuture.completedFuture(link);
            }

            @Override
            boolean canReopen() {
                return false;
            }

            @Override
            void close(@Nullable Link unused) {}
        };
    }

    /** Connections of a client that somebody else made, and ends. */
    static Connector of(RedisClient client) {
        return ofClient(() -> client.connect(ByteArrayCodec.INSTANCE));
    }

    /** Connections of a client that somebody else made, and ends. */
    static Connector of(RedisClusterClient client) {
        return ofClient(() -> client.connect(ByteArrayCodec.INSTANCE));
    }

    private static Connector ofClient(java.util.function.Supplier<StatefulConnection<?, ?>> connect) {
        return new Connector() {
            @Override
            CompletionStage<Link> open() {
                return CompletableFuture.supplyAsync(() -> new Link(connect.get()), ForkJoinPool.commonPool());
            }

            @Override
            void close(@Nullable Link link) {
                if (link != null) {
                    link.close();
                }
            }
        };
    }

    /** Clients of its own. */
    static Connector of(List<RedisURI> uris) {
        return new OwnClients(uris);
    }

    /*
     * What was sent once is never sent again after a reconnect: it may have been decided already. Reconnecting goes on
     * at short, constant intervals, because whoever degrades waits for it.
     */
    private static final class OwnClients extends Connector {
        private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

        private final List<RedisURI> uris;
        private final ClientResources resources = DefaultClientResources.builder()
                .reconnectDelay(() -> Delay.constant(Duration.ofMillis(100)))
                .build();
        private @Nullable RedisClient single;
        private @Nullable RedisClusterClient cluster;

        OwnClients(List<RedisURI> uris) {
            this.uris = List.copyOf(uris);
            uris.forEach(uri -> uri.setTimeout(CONNECT_TIMEOUT));
        }

        @Override
        CompletionStage<Link> open() {
            if (uris.get(0).getSentinels().isEmpty()) {
                return single().connectAsync(StringCodec.UTF8, uris.get(0)).thenCompose(this::afterLooking);
            }
            return single().connectAsync(ByteArrayCodec.INSTANCE, uris.get(0))
                    .toCompletableFuture()
                    .thenApply(Link::new);
        }

        /** A server of a cluster says so; then the whole cluster is meant. */
        private CompletionStage<Link> afterLooking(StatefulRedisConnection<String, String> connection) {
            return connection.async().info("cluster").thenCompose(info -> {
                if (!info.contains("cluster_enabled:1")) {
                    return CompletableFuture.completedFuture(new Link(connection));
                }
                connection.closeAsync();
                return cluster().connectAsync(ByteArrayCodec.INSTANCE).thenApply(Link::new);
            });
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
                configured(options);
                cluster.setOptions(options.build());
            }
            return cluster;
        }

        private static <B extends ClientOptions.Builder> B configured(B options) {
            options.autoReconnect(true)
                    .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                    .replayFilter(command -> true)
                    .socketOptions(SocketOptions.builder()
                            .connectTimeout(CONNECT_TIMEOUT)
                            .keepAlive(true)
                            .build());
            return options;
        }

        @Override
        synchronized void close(@Nullable Link link) {
            if (link != null) {
                link.close();
            }
            if (single != null) {
                single.shutdownAsync(0, 1, TimeUnit.SECONDS);
            }
            if (cluster != null) {
                cluster.shutdownAsync(0, 1, TimeUnit.SECONDS);
            }
            resources.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }
}
