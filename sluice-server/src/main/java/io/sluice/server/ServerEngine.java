package io.sluice.server;

import io.sluice.CallLimiter;
import io.sluice.TimeSource;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.envoy.EnvoyConfigWatch;
import io.sluice.server.admin.FileOverrideRepository;
import io.sluice.server.admin.FilePolicyRepository;
import io.sluice.server.admin.OverrideRepository;
import io.sluice.server.admin.PolicyRepository;
import io.sluice.server.admin.ReadOnlyPolicyRepository;
import io.sluice.server.admin.RedisOverrideRepository;
import io.sluice.server.admin.RedisPolicyRepository;
import io.sluice.server.decide.RequestDecider;
import io.sluice.server.recording.Recording;
import io.sluice.spi.PolicyStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The policy engine of a server, with its store and its policies. */
final class ServerEngine implements AutoCloseable {
    final PolicyStore store;
    final PolicyEngine policyEngine;
    final RequestDecider decider;

    /** The latest requests, for previews of other policies. */
    final Recording recording;

    final PolicyRepository repository;
    final OverrideRepository overrides;

    /** Enforces the limits of CL.THROTTLE calls. Its name is not printable, so no policy can have it. */
    final CallLimiter throttleLimiter;

    /** Enforces the limits that come with Envoy descriptors. */
    final CallLimiter descriptorLimiter;

    private final String source;
    private final boolean inMemory;
    private final @Nullable EnvoyConfigWatch envoy;

    private ServerEngine(
            PolicyStore store,
            PolicyEngine engine,
            PolicyRepository repository,
            OverrideRepository overrides,
            String source,
            boolean inMemory,
            @Nullable EnvoyConfigWatch envoy) {
        this.store = store;
        this.policyEngine = engine;
        this.repository = repository;
        this.overrides = overrides;
        this.source = source;
        this.inMemory = inMemory;
        this.recording = new Recording(TimeSource.system(), engine::attributes);
        this.decider = new RequestDecider(engine, inMemory, recording);
        this.throttleLimiter = store.callLimiter("\nthrottle");
        this.descriptorLimiter = store.callLimiter("\nrls");
        this.envoy = envoy;
    }

    /** @param store the caller closes it */
    static ServerEngine open(ServerConfig config, PolicyStore store) {
        String redis = config.redis();
        PolicyEngine.Builder builder = PolicyEngine.builder().store(store);
        if (config.envoyConfig() != null) {
            return openEnvoyConfig(config, config.envoyConfig(), store, builder);
        }
        Path file = config.policies();
        String source;
        if (file == null) {
            Path dataDir = redis == null ? config.dataDir() : null;
            Policies uploaded = dataDir == null ? null : FilePolicyRepository.load(dataDir, config.webhookHosts());
            builder.policies(uploaded == null ? SamplePolicies.load() : uploaded);
            source = uploaded == null ? "the built-in sample" : "the policies uploaded before, in " + dataDir;
        } else {
            builder.file(file).webhookHosts(config.webhookHosts());
            source = file.toString();
        }
        if (redis != null) {
            builder.published();
        }
        PolicyEngine engine = builder.build();
        try {
            PolicyRepository repository = redis == null
                    ? FilePolicyRepository.open(engine, file, config.dataDir(), config.webhookHosts())
                    : new RedisPolicyRepository(engine, store.publication("policies"));
            return new ServerEngine(
                    store, engine, repository, overrides(config, engine, store), source, redis == null, null);
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    /** Uses the files of a directory as the policies. Published policies are ignored. */
    private static ServerEngine openEnvoyConfig(
            ServerConfig config, Path directory, PolicyStore store, PolicyEngine.Builder builder) {
        EnvoyConfigWatch watch;
        try {
            watch = EnvoyConfigWatch.open(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        PolicyEngine engine = builder.envoy(watch.config()).build();
        watch.follow(engine::replace, problems -> {});
        PolicyRepository repository = new ReadOnlyPolicyRepository(engine, directory.toString());
        return new ServerEngine(
                store,
                engine,
                repository,
                overrides(config, engine, store),
                "the files in " + directory,
                config.redis() == null,
                watch);
    }

    private static OverrideRepository overrides(ServerConfig config, PolicyEngine engine, PolicyStore store) {
        return config.redis() == null
                ? new FileOverrideRepository(engine, config.dataDir())
                : new RedisOverrideRepository(engine, store.publication("overrides"));
    }

    /** The source of the policies in force, for people. */
    String policySource() {
        boolean published = !inMemory && envoy == null && policyEngine.version() > 0;
        return published ? "edition " + policyEngine.version() + ", published in Redis" : source;
    }

    /** Whether the policies come from envoyproxy/ratelimit files. Then descriptors match by their rules. */
    boolean usesEnvoyFiles() {
        return envoy != null;
    }

    @Override
    public void close() {
        if (envoy != null) {
            envoy.close();
        }
        overrides.close();
        policyEngine.close();
    }
}
