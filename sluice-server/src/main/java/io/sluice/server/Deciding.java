package io.sluice.server;

import io.sluice.Store;
import io.sluice.policy.PolicyEngine;
import io.sluice.server.decide.Checks;
import java.nio.file.Path;

/** The store that a server counts in, and the engine that decides on it. */
final class Deciding implements AutoCloseable {
    final Store store;
    final PolicyEngine engine;
    final Checks checks;

    private Deciding(Store store, PolicyEngine engine, boolean atOnce) {
        this.store = store;
        this.engine = engine;
        this.checks = new Checks(engine, atOnce);
    }

    /** @param store stays the caller's to close */
    static Deciding by(ServerConfig config, Store store) {
        String redis = config.redis();
        PolicyEngine.Builder engine = PolicyEngine.builder().store(store);
        Path file = config.policies();
        if (file == null) {
            engine.policies(Sample.policies());
        } else {
            engine.file(file);
        }
        if (redis != null) {
            engine.published();
        }
        return new Deciding(store, engine.build(), redis == null);
    }

    @Override
    public void close() {
        engine.close();
    }
}
