package io.sluice.server;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.metrics.MemoryStoreMetrics;
import io.sluice.policy.metrics.StoreMetrics;
import io.sluice.redis.RedisStore;
import io.sluice.server.ops.StoreWatch;
import io.sluice.server.state.DataDir;
import io.sluice.server.state.Snapshots;
import io.sluice.spi.PolicyStore;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The store that a server counts in: Redis, or memory, perhaps with a directory in which it survives. */
final class ServerStore implements AutoCloseable {
    final PolicyStore store;

    /** What there is to measure. */
    final MeterBinder metrics;

    private final String where;
    private final @Nullable DataDir directory;
    private final @Nullable Snapshots snapshots;
    private @Nullable StoreWatch watch;

    private ServerStore(
            PolicyStore store,
            String where,
            MeterBinder metrics,
            @Nullable DataDir directory,
            @Nullable Snapshots snapshots) {
        this.store = store;
        this.where = where;
        this.metrics = metrics;
        this.directory = directory;
        this.snapshots = snapshots;
    }

    /** Opens it, as it was left. */
    static ServerStore open(ServerConfig config) {
        String redis = config.redis();
        Path data = config.dataDir();
        DataDir directory = data == null ? null : DataDir.open(data);
        try {
            if (redis != null) {
                return inRedis(redis, config.redisPrefix(), directory);
            }
            Snapshots snapshots = directory == null ? null : new Snapshots(directory, () -> empty(config));
            MemoryStore store = snapshots == null ? empty(config) : snapshots.store();
            String kept = data == null ? "lost at a restart (to keep them: --data-dir)" : "kept in " + data;
            String derived = config.maxKeys() == 0 ? " (" + KeyMemory.origin() + ")" : "";
            String where = "memory, at most " + store.maxKeys() + " keys" + derived + ", " + kept;
            return new ServerStore(store, where, new MemoryStoreMetrics(store), directory, snapshots);
        } catch (RuntimeException e) {
            close(directory);
            throw e;
        }
    }

    private static ServerStore inRedis(String uri, String prefix, @Nullable DataDir directory) {
        StoreMetrics metrics = new StoreMetrics();
        RedisStore store =
                RedisStore.builder().uri(uri).prefix(prefix).listener(metrics).build();
        String where = "Redis at " + RedisAddress.shown(uri) + ", keys begin with " + prefix
                + (directory == null ? "" : " (--data-dir is not used: Redis keeps everything)");
        return new ServerStore(store, where, metrics, directory, null);
    }

    private static MemoryStore empty(ServerConfig config) {
        MemoryStore.Builder store = MemoryStore.builder();
        return (config.maxKeys() == 0 ? store.maxBytes(KeyMemory.bytes()) : store.maxKeys(config.maxKeys())).build();
    }

    /** Where it counts, and whether it is there now; never with a password. */
    String description() {
        return store instanceof RedisStore redis && !redis.isAvailable() ? where + "; it does not answer yet" : where;
    }

    /** Whether it can be reached, from now on. */
    BooleanSupplier watch(Vertx vertx) {
        if (store instanceof RedisStore redis) {
            watch = new StoreWatch(redis, vertx);
            return watch::isReachable;
        }
        return () -> true;
    }

    /** Begins to save what is counted; see {@link Snapshots#keep}. */
    void keep(Duration every, LongSupplier asked) {
        if (snapshots != null) {
            snapshots.keep(every, asked);
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
            // The lock goes with the process.
        }
    }
}
