package io.sluice.server;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.memory.MemoryStore;
import io.sluice.micrometer.MemoryStoreMetrics;
import io.sluice.micrometer.StoreMetrics;
import io.sluice.redis.RedisStore;
import io.sluice.server.ops.StoreWatch;
import io.sluice.server.state.DataDir;
import io.sluice.server.state.Snapshots;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.SharedNotes;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The store of a server: Redis, or memory with or without a data directory. */
final class ServerStore implements AutoCloseable {
    final PolicyStore store;

    /** The metrics of the store. */
    final MeterBinder metrics;

    private final String description;
    private final @Nullable DataDir directory;
    private final @Nullable Snapshots snapshots;
    private @Nullable StoreWatch watch;

    private ServerStore(
            PolicyStore store,
            String description,
            MeterBinder metrics,
            @Nullable DataDir directory,
            @Nullable Snapshots snapshots) {
        this.store = store;
        this.description = description;
        this.metrics = metrics;
        this.directory = directory;
        this.snapshots = snapshots;
    }

    /** Opens the store, and restores its latest snapshot if there is a data directory. */
    static ServerStore open(ServerConfig config) {
        String redis = config.redis();
        Path data = config.dataDir();
        DataDir directory = data == null ? null : DataDir.open(data);
        try {
            if (redis != null) {
                return openRedis(redis, config.redisPrefix(), directory);
            }
            Snapshots snapshots = directory == null ? null : new Snapshots(directory, () -> newMemoryStore(config));
            MemoryStore store = snapshots == null ? newMemoryStore(config) : snapshots.store();
            String kept = data == null ? "lost at a restart (to keep them: --data-dir)" : "kept in " + data;
            String derived = config.maxKeys() == 0 ? " (" + KeyMemory.description() + ")" : "";
            String description = "memory, at most " + store.maxKeys() + " keys" + derived + ", " + kept;
            return new ServerStore(store, description, new MemoryStoreMetrics(store), directory, snapshots);
        } catch (RuntimeException e) {
            close(directory);
            throw e;
        }
    }

    private static ServerStore openRedis(String uri, String prefix, @Nullable DataDir directory) {
        StoreMetrics metrics = new StoreMetrics();
        RedisStore store =
                RedisStore.builder().uri(uri).prefix(prefix).listener(metrics).build();
        String description = "Redis at " + RedisAddress.withoutSecrets(uri) + ", keys begin with " + prefix
                + (directory == null ? "" : " (--data-dir is not used: Redis keeps everything)");
        return new ServerStore(store, description, metrics, directory, null);
    }

    private static MemoryStore newMemoryStore(ServerConfig config) {
        MemoryStore.Builder store = MemoryStore.builder();
        return (config.maxKeys() == 0 ? store.maxBytes(KeyMemory.bytes()) : store.maxKeys(config.maxKeys())).build();
    }

    /** The store and whether it is available now, for the log. Has no password. */
    String description() {
        return store instanceof RedisStore redis && !redis.isAvailable()
                ? description + "; it does not answer yet"
                : description;
    }

    /** Starts to watch the store. Returns whether the store is reachable. */
    BooleanSupplier watch(Vertx vertx) {
        if (store instanceof RedisStore redis) {
            watch = new StoreWatch(redis, vertx);
            return watch::isReachable;
        }
        return () -> true;
    }

    /** What replicas leave for each other in Redis; null if there are no others. */
    @Nullable
    SharedNotes notes(String name) {
        return store instanceof RedisStore redis ? redis.notes(name) : null;
    }

    /** Starts to save snapshots; see {@link Snapshots#start}. */
    void startSnapshots(Duration interval, LongSupplier requests) {
        if (snapshots != null) {
            snapshots.start(interval, requests);
        }
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        if (snapshots != null) {
            snapshots.close();
        }
        store.close();
        close(directory);
    }

    private static void close(@Nullable DataDir directory) {
        try {
            if (directory != null) {
                directory.close();
            }
        } catch (IOException e) {
            // The lock ends with the process.
        }
    }
}
