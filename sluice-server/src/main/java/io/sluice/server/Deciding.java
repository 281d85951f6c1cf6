package io.sluice.server;

import io.sluice.MemoryStore;
import io.sluice.Store;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.redis.RedisStore;
import io.sluice.server.admin.FileBook;
import io.sluice.server.admin.PolicyBook;
import io.sluice.server.admin.RedisBook;
import io.sluice.server.decide.Checks;
import java.nio.file.Path;

/** The store that a server counts in, and the engine that decides on it. */
final class Deciding implements AutoCloseable {
    final Store store;
    final PolicyEngine engine;
    final Checks checks;
    final PolicyBook book;

    private Deciding(Store store, PolicyEngine engine, PolicyBook book, boolean atOnce) {
        this.store = store;
        this.engine = engine;
        this.book = book;
        this.checks = new Checks(engine, atOnce);
    }

    static Deciding by(ServerConfig config) {
        String redis = config.redis();
        Store store = redis == null
                ? MemoryStore.create()
                : RedisStore.builder().uri(redis).prefix(config.redisPrefix()).build();
        try {
            PolicyEngine.Builder engine = PolicyEngine.builder().store(store);
            Path file = config.policies();
            if (file == null) {
                Path dataDir = redis == null ? config.dataDir() : null;
                Policies put = dataDir == null ? null : FileBook.put(dataDir);
                engine.policies(put == null ? Sample.policies() : put);
            } else {
                engine.file(file);
            }
            if (redis != null) {
                engine.published();
            }
            PolicyEngine built = engine.build();
            try {
                PolicyBook book = redis == null
                        ? FileBook.open(built, file, config.dataDir())
                        : new RedisBook(built, store.publication("policies"));
                return new Deciding(store, built, book, redis == null);
            } catch (RuntimeException e) {
                built.close();
                throw e;
            }
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    @Override
    public void close() {
        engine.close();
        store.close();
    }
}
