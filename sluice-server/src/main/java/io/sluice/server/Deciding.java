package io.sluice.server;

import io.sluice.CallLimiter;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.envoy.EnvoyConfigWatch;
import io.sluice.server.admin.FileBook;
import io.sluice.server.admin.FixedBook;
import io.sluice.server.admin.PolicyBook;
import io.sluice.server.admin.RedisBook;
import io.sluice.server.decide.Checks;
import io.sluice.spi.PolicyStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The store that a server counts in, and the engine that decides on it. */
final class Deciding implements AutoCloseable {
    final PolicyStore store;
    final PolicyEngine engine;
    final Checks checks;
    final PolicyBook book;

    /** Counts by the limits of CL.THROTTLE. No policy is called so: its name would not be printable. */
    final CallLimiter throttled;

    /** Counts by the limits of descriptors. */
    final CallLimiter overridden;

    private final String given;
    private final boolean atOnce;
    private final @Nullable EnvoyConfigWatch envoy;

    private Deciding(
            PolicyStore store,
            PolicyEngine engine,
            PolicyBook book,
            String given,
            boolean atOnce,
            @Nullable EnvoyConfigWatch envoy) {
        this.store = store;
        this.engine = engine;
        this.book = book;
        this.given = given;
        this.atOnce = atOnce;
        this.checks = new Checks(engine, atOnce);
        this.throttled = store.callLimiter("\nthrottle");
        this.overridden = store.callLimiter("\nrls");
        this.envoy = envoy;
    }

    /** @param store stays the caller's to close */
    static Deciding by(ServerConfig config, PolicyStore store) {
        String redis = config.redis();
        PolicyEngine.Builder builder = PolicyEngine.builder().store(store);
        if (config.envoyConfig() != null) {
            return byEnvoyConfig(config.envoyConfig(), store, builder, redis == null);
        }
        Path file = config.policies();
        String given;
        if (file == null) {
            Path dataDir = redis == null ? config.dataDir() : null;
            Policies put = dataDir == null ? null : FileBook.put(dataDir, config.webhookHosts());
            builder.policies(put == null ? Sample.policies() : put);
            given = put == null ? "the built-in sample" : "what was put before, in " + dataDir;
        } else {
            builder.file(file).webhookHosts(config.webhookHosts());
            given = file.toString();
        }
        if (redis != null) {
            builder.published();
        }
        PolicyEngine engine = builder.build();
        try {
            PolicyBook book = redis == null
                    ? FileBook.open(engine, file, config.dataDir(), config.webhookHosts())
                    : new RedisBook(engine, store.publication("policies"));
            return new Deciding(store, engine, book, given, redis == null, null);
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    /** The files of that directory are the policies, not what is published. */
    private static Deciding byEnvoyConfig(
            Path directory, PolicyStore store, PolicyEngine.Builder builder, boolean atOnce) {
        EnvoyConfigWatch watch;
        try {
            watch = EnvoyConfigWatch.open(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        PolicyEngine engine = builder.envoy(watch.config()).build();
        watch.follow(engine::replace, problems -> {});
        PolicyBook book = new FixedBook(engine, directory.toString());
        return new Deciding(store, engine, book, "the files in " + directory, atOnce, watch);
    }

    /** Where the policies in force come from, in words. */
    String origin() {
        boolean published = !atOnce && envoy == null && engine.version() > 0;
        return published ? "edition " + engine.version() + ", published in Redis" : given;
    }

    /** Whether the policies come from envoyproxy/ratelimit files, which descriptors match by. */
    boolean isByEnvoyFiles() {
        return envoy != null;
    }

    @Override
    public void close() {
        if (envoy != null) {
            envoy.close();
        }
        engine.close();
    }
}
